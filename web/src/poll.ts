/** Asking again and again, for what changes by itself; a hidden tab does not ask. */

const EVERY = 3_000;

/** Call `ask` now and every few seconds; the function returned stops it. */
export function poll(ask: () => Promise<void>): () => void {
  let stopped = false;
  let timer = 0;
  const round = async (): Promise<void> => {
    if (!document.hidden) await ask();
    if (!stopped) timer = window.setTimeout(() => void round(), EVERY);
  };
  void round();
  return () => {
    stopped = true;
    window.clearTimeout(timer);
  };
}
