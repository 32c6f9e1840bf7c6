/** The page's addresses: every screen has one, and the one of a replay also holds the ply. */

export type Route =
  | { screen: "home" }
  | { screen: "tour" }
  | { screen: "play"; game: string | null }
  | { screen: "watch" }
  | { screen: "replay"; id: string | null; ply: number | null }
  | { screen: "results"; name: string | null; cell: string | null }
  | { screen: "lost" };

/** Read an address. */
export function parse(path: string): Route {
  const [first = "", second = null, third = null, ...rest] = path
    .split("/")
    .filter((part) => part !== "")
    .map(decoded);
  if (rest.length > 0) return { screen: "lost" };
  switch (first) {
    case "":
      return { screen: "home" };
    case "tour":
      return second === null ? { screen: "tour" } : { screen: "lost" };
    case "play":
      return third === null ? { screen: "play", game: second } : { screen: "lost" };
    case "watch":
      return second === null ? { screen: "watch" } : { screen: "lost" };
    case "replay":
      return { screen: "replay", id: second, ply: third === null ? null : wholeNumber(third) };
    case "results":
      return { screen: "results", name: second, cell: third };
    default:
      return { screen: "lost" };
  }
}

/** Write an address: the other way round. */
export function address(...parts: (string | number)[]): string {
  return `/${parts.map((part) => encodeURIComponent(String(part))).join("/")}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function wholeNumber(text: string): number | null {
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

type Listener = (route: Route) => void;
let listener: Listener = () => undefined;

/** Call `show` for this address and for every one that follows. */
export function start(show: Listener): void {
  listener = show;
  document.addEventListener("click", takeLink);
  window.addEventListener("popstate", () => show(parse(location.pathname)));
  show(parse(location.pathname));
}

/** Go to another screen. */
export function go(path: string): void {
  if (path !== location.pathname) history.pushState(null, "", path);
  listener(parse(location.pathname));
}

/** Write where we are without a step back to where we were: scrubbing must not fill the history. */
export function note(path: string): void {
  if (path !== location.pathname) history.replaceState(null, "", path);
}

function takeLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const anchor = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(anchor instanceof HTMLAnchorElement) || anchor.target || anchor.hasAttribute("download")) return;
  const path = anchor.getAttribute("href") ?? "";
  if (!path.startsWith("/") || path.startsWith("/api/")) return;
  event.preventDefault();
  go(path);
}
