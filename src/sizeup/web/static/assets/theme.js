// Before the first paint, so that a chosen theme does not flash the other one.
try {
  const chosen = localStorage.getItem("sizeup-theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden; the system's theme is then used.
}
