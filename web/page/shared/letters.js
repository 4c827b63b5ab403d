// The letters of players, by colour.

export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
