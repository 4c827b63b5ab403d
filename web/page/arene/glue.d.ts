// What `scripts/page.sh` generates as `glue.js` from the crate `arene`: structured values pass as JSON.

export const init: (options: { module_or_path: BufferSource | WebAssembly.Module | URL }) => Promise<unknown>;
export function setLanguage(code: string): void;
export function catalogue(): string;
export function pacman(terms: string): Handle;
export function pyrat(terms: string): Handle;
export function open(bytes: Uint8Array): Handle;
export function share(firsts: number, games: number): string;

export class Handle {
  free(): void;
  step(messages: string): void;
  advise(letter: string, bot: string): string;
  evaluation(letter: string, bot: string): string;
  branch(turn: number, players: string): Handle;
  readonly over: boolean;
  readonly turn: number;
  readonly state: string;
  readonly past: string;
  check(letter: string): string;
  readonly names: string;
  readonly ranking: string;
  readonly frame: string;
  readonly beginning: string;
  film(): string;
  recording(): Uint8Array;
  verify(): string | undefined;
}
