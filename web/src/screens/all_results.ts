/** Results: one module, so that one file holds all of it. */

export { results } from "./results";
export { cell } from "./results_cell";
export { experiment } from "./results_experiment";
