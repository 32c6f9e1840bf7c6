/** A study, as a participant sees it: consent, questions and games, one after the other. */

import { announce } from "../announce";
import { getStudy, tellStudy } from "../api";
import { button, fill, h, type Child } from "../dom";
import type { About, Question, StudyPage, StudyStep } from "../protocol";
import { troubleOf, type Screen } from "./screen";
import { StudyTable } from "./study_game";

export function study(about: About): Screen {
  const view = new StudyScreen(about);
  return { title: "Study", door: "home", element: view.element, close: () => view.close() };
}

class StudyScreen {
  readonly element = h("div", { class: "study" });
  private table: StudyTable | null = null;
  private since = 0;

  constructor(private readonly about: About) {
    void this.go(getStudy());
  }

  close(): void {
    this.table?.close();
    this.table = null;
  }

  /** Show what the server says comes next. */
  private async go(answer: Promise<StudyPage>): Promise<void> {
    try {
      this.show(await answer);
    } catch (error) {
      this.trouble(troubleOf(error));
    }
  }

  /** Nothing that was filled in is taken away: what was refused can be sent again. */
  private trouble(words: string): void {
    const again = button("Try again", () => void this.go(getStudy()), { class: "primary" });
    const form = this.element.querySelector("form");
    const told = h("p", { class: "study-trouble", role: "alert" }, words);
    this.element.querySelector(".study-trouble")?.remove();
    if (form) form.append(told);
    else fill(this.element, h("h1", {}, "Study"), told, h("p", {}, again));
  }

  private show(page: StudyPage): void {
    this.close();
    this.since = performance.now();
    document.title = page.title;
    fill(this.element, ...this.parts(page, page.step));
    window.scrollTo(0, 0);
    const heading = this.element.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
    announce(heading?.textContent ?? "");
  }

  private parts(page: StudyPage, step: StudyStep): Child[] {
    const title = h("h1", {}, page.title);
    const foot = page.progress && this.foot(page.progress);
    switch (step.kind) {
      case "consent":
        return [title, ...this.consent(step.text)];
      case "questions":
        return [title, this.form(step.number, step.questions), foot];
      case "game":
        return this.game(page, step);
      case "done":
        return [title, ...paragraphs(step.text), ...code(step.code), step.next && this.nextOne(step.next, page.title)];
      case "full":
        return [title, h("p", {}, "The study has all the participants that it needs. Thank you for your interest.")];
      case "left":
        return [title, h("p", {}, "You have left the study, and what you did is deleted. You can close this page.")];
    }
  }

  private consent(text: string): Child[] {
    const agree = button("I agree, begin", () => void this.go(tellStudy({ agree: true })), { class: "primary" });
    return [...paragraphs(text), h("p", { class: "actions" }, agree)];
  }

  private nextOne(text: string, title: string): HTMLElement {
    const begin = (): void => fill(this.element, h("h1", {}, title), ...this.consent(text));
    return h("p", { class: "actions" }, button("Next participant", begin, { class: "secondary" }));
  }

  private form(number: number, questions: readonly Question[]): HTMLElement {
    const fields = questions.map(field);
    const submit = (event: SubmitEvent): void => {
      event.preventDefault();
      const answers = Object.fromEntries(fields.map(({ name, value }) => [name, value()]));
      const seconds = (performance.now() - this.since) / 1000;
      void this.go(tellStudy({ step: number, answers, seconds }));
    };
    const send = h("button", { type: "submit", class: "primary" }, "Continue");
    return h("form", { class: "study-form", onsubmit: submit }, ...fields.map(({ element }) => element), h("p", { class: "actions" }, send));
  }

  private game(page: StudyPage, step: Extract<StudyStep, { kind: "game" }>): Child[] {
    const offer = this.about.games.find(({ name }) => name === step.game);
    if (!offer) return [h("p", {}, `The server does not offer the game ${step.game}.`)];
    const [number, games] = step.place;
    const head = h("h1", {}, `${offer.title}${games > 1 ? `, game ${number} of ${games}` : ""}`);
    this.table = new StudyTable(this.about, offer, step.show === "everything", head, () => void this.go(getStudy()));
    return [this.table.element, page.progress && this.foot(page.progress)];
  }

  /** How far one is, and the way out. */
  private foot([done, all]: [number, number]): HTMLElement {
    const sure = h("span", { hidden: true }, "What you did so far is deleted. ", button("Leave the study", () => void this.go(tellStudy({ leave: true })), { class: "small" }));
    const leave = button("I want to stop", () => (sure.hidden = !sure.hidden), { class: "small" });
    const bar = h("progress", { value: done, max: all, "aria-label": "How far you are" });
    return h("footer", { class: "study-foot" }, bar, h("span", {}, leave, " ", sure));
  }
}

const paragraphs = (text: string): HTMLElement[] =>
  text.split(/\n\s*\n/).filter((part) => part.trim()).map((part) => h("p", {}, part.trim()));

const code = (text: string): Child[] =>
  text ? [h("p", {}, "Your completion code is"), h("p", { class: "completion-code" }, h("code", {}, text))] : [];

interface Asked {
  name: string;
  element: HTMLElement;
  value(): string;
}

function field(question: Question): Asked {
  return question.options.length > 0 ? chosen(question) : written(question);
}

function chosen({ name, ask, options, ends, optional }: Question): Asked {
  const [low, high] = ends;
  const spoken = (n: number): string | undefined => [low, ...options.slice(2).map(() => undefined), high][n];
  const inputs = options.map((value, n) => h("input", { type: "radio", name, value, required: !optional, "aria-label": spoken(n) && `${value}, ${spoken(n)}` }));
  const labels = options.map((option, n) => h("label", {}, inputs[n], h("span", {}, option)));
  const meaning = low && h("p", { class: "scale-ends quiet", "aria-hidden": "true" }, h("span", {}, low), h("span", {}, high));
  const element = h("fieldset", { class: low ? "asked scale" : "asked" }, h("legend", {}, ask), h("div", {}, ...labels), meaning);
  return { name, element, value: () => inputs.find(({ checked }) => checked)?.value ?? "" };
}

function written({ name, ask, optional, lines }: Question): Asked {
  const attributes = { id: `asked-${name}`, name, required: !optional, maxlength: 2000 };
  const input = lines ? h("textarea", { ...attributes, rows: 4 }) : h("input", { ...attributes, type: "text" });
  const label = h("label", { for: attributes.id }, ask, optional && h("small", {}, " (optional)"));
  return { name, element: h("div", { class: "asked" }, label, input), value: () => input.value.trim() };
}
