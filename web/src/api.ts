/** Questions over HTTP. A refusal carries the server's own sentence. */

import type { About, CellGames, Experiment, ExperimentLine, RecordLine, RecordView, Sized, StudyPage, TableAnswer } from "./protocol";
import { raised } from "./words";

export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const UNREACHABLE = "Sizeup is not responding. Is `sizeup serve` still running?";

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init });
  } catch {
    throw new Refused(0, UNREACHABLE);
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new Refused(response.status, told(body, response.status));
  return body as T;
}

function told(body: unknown, status: number): string {
  if (typeof body === "object" && body !== null && "error" in body) return raised(String(body.error));
  if (status === 401) return "This page is not signed in. Open the address that `sizeup serve` printed.";
  return `Sizeup answered with an error (${status}).`;
}

function post<T>(path: string, body: string): Promise<T> {
  const headers = { "Content-Type": "application/json", "X-Sizeup": "1" };
  return ask<T>(path, { method: "POST", headers, body });
}

const at = (...parts: (string | number)[]): string =>
  `/api/${parts.map((part) => encodeURIComponent(String(part))).join("/")}`;

export const getAbout = (): Promise<About> => ask(at("about"));

export const getRecords = (): Promise<{ records: RecordLine[] }> => ask(at("records"));

export const getRecord = (id: string): Promise<RecordView> => ask(at("records", id));

export const sendRecord = (text: string): Promise<{ id: string }> => post(at("records"), text);

export function getTable(id: string, ply: number, asType: number | null): Promise<TableAnswer> {
  const query = asType === null ? "" : `?as_type=${asType}`;
  return ask(at("records", id, "tables", ply) + query);
}

export const whatIf = (id: string, ply: number, action: string | null): Promise<{ id: string }> =>
  post(at("records", id, "what-if"), JSON.stringify({ ply, action }));

export const sizeUp = (id: string): Promise<{ players: Sized[] }> => post(at("records", id, "sizes"), "{}");

export const exportAddress = (id: string, format: string, ply?: number): string =>
  at("records", id, "export", format) + (ply === undefined ? "" : `?ply=${ply}`);

export const getExperiments = (): Promise<{ experiments: ExperimentLine[] }> => ask(at("results"));

export const getExperiment = (name: string): Promise<Experiment> => ask(at("results", name));

export const getCell = (name: string, cell: string): Promise<CellGames> =>
  ask(at("results", name, "cells", cell));

export const replayStored = (name: string, id: string): Promise<{ id: string }> =>
  post(at("results", name, "games", id, "record"), "{}");

/** Come in by a link. */
export const joinTable = (token: string): Promise<{ role: string }> => post(at("join"), JSON.stringify({ link: token }));

export const getStudy = (): Promise<StudyPage> => ask(at("study"));

export const tellStudy = (says: object): Promise<StudyPage> => post(at("study"), JSON.stringify(says));
