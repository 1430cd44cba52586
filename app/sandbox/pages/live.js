// Keeps the changing part of a run's page up to date while the run lasts.
"use strict";
const live = document.getElementById("live");
async function refresh() {
  try {
    const answer = await fetch(live.dataset.from, {cache: "no-store"});
    const state = await answer.json();
    if (live.innerHTML !== state.html) live.innerHTML = state.html;
    if (state.done) return;
  } catch (e) { /* the sandbox is away: try again */ }
  setTimeout(refresh, 1500);
}
if (live && "running" in live.dataset) setTimeout(refresh, 1500);
