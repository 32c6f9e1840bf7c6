/** What a game that is played needs only once one may move: one module, so that one file holds all of it. */

export { keepGame } from "../memory";
export { endCard, readAgain } from "./end_card";
export { setupForm } from "./setup_form";
