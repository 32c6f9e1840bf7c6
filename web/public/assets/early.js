// Runs before the first paint, and while the rest of the page is still on its way.
try {
  // A chosen theme must not flash the other one.
  const chosen = localStorage.getItem("sizeup-theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden; the system's theme is then used.
}
// Over a slow line a game begins while the page that shows it is loading: its first question goes
// out with the request for the socket, unless this tab has a game to go on with.
const here = JSON.parse(document.getElementById("sizeup-here")?.textContent ?? "null");
if (here) {
  const game = here.games[0];
  let left = null;
  try {
    left = sessionStorage.getItem(`sizeup-play-${game.name}`);
  } catch {
    // Then there is none.
  }
  if (left === null) {
    const setup = { ...game.default, seed: Math.floor(Math.random() * 1e6) };
    const first = encodeURIComponent(JSON.stringify({ type: "new", setup }));
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws?first=${first}`);
    window.sizeupEarly = { socket, setup, heard: [] };
    socket.onmessage = ({ data }) => window.sizeupEarly.heard.push(data);
  }
}
