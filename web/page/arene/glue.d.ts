// The types of `glue.js`, which `scripts/page.sh` generates from the crate `arene`. Structured values are JSON.

export const init: (options: { module_or_path: BufferSource | WebAssembly.Module | URL }) => Promise<unknown>;
export function setLanguage(code: string): void;
export function catalogue(): string;
/** The usual terms, whose fields are those of `PacmanTerms` in `arene.js`. */
export function pacmanTerms(): PacmanTerms;
export function pyratTerms(): PyratTerms;
export function pacman(terms: PacmanTerms, players: string[], names?: string[]): Handle;
export function pyrat(terms: PyratTerms, players: string[], names?: string[]): Handle;
export function open(bytes: Uint8Array): Handle;
export function distances(board: string, rows: number, start: number, wallPass: number): Uint32Array;
export function share(firsts: number, games: number): string;

export class PacmanTerms {
  free(): void;
}

export class PyratTerms {
  free(): void;
}

export class Handle {
  free(): void;
  step(letters: string[], messages: string[]): void;
  think(): void;
  advise(letter: string, bot: string): string;
  evaluation(letter: string, bot: string): string;
  branch(turn: number, players: string[] | null): Handle;
  readonly over: boolean;
  readonly turn: number;
  readonly state: string;
  readonly maze?: string;
  readonly past: string;
  check(letter: string): string;
  orders(letter: string): string;
  coach(letter: string): string;
  readonly ranking: string;
  readonly frame: string;
  readonly beginning: string;
  film(): string;
  recording(dropped: number, block: Uint8Array): Uint8Array;
  verify(): string | undefined;
}
