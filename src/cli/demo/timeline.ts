import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAY_MS = 86_400_000;

export function daysBefore(base: Date, days: number): Date {
  return new Date(base.getTime() - days * DAY_MS);
}

/** A period in which rows were written that are to be dated elsewhere. */
export interface DatedPeriod {
  from: Date;
  to: Date;
  /** The time that `from` stands for. */
  at: Date;
}

interface State {
  /** The present of the demo data. */
  base: string;
  /** Number of actions that are done. */
  done: number;
  periods: { from: string; to: string; at: string }[];
}

/**
 * Progress of the demo data, in a file of the data folder that exists until it is complete. After a
 * crash the action that was under way runs again.
 */
export class DemoProgress {
  private constructor(
    private readonly path: string,
    private state: State,
  ) {}

  /** Returns null if no demo data is wanted. */
  static open(dataDir: string): DemoProgress | null {
    const path = fileOf(dataDir);
    if (!existsSync(path)) return null;
    return new DemoProgress(path, JSON.parse(readFileSync(path, 'utf8')) as State);
  }

  /** Asks for demo data. */
  static request(dataDir: string): void {
    const state: State = { base: new Date().toISOString(), done: 0, periods: [] };
    write(fileOf(dataDir), state);
  }

  get base(): Date {
    return new Date(this.state.base);
  }

  get done(): number {
    return this.state.done;
  }

  get periods(): DatedPeriod[] {
    return this.state.periods.map(({ from, to, at }) => ({
      from: new Date(from),
      to: new Date(to),
      at: new Date(at),
    }));
  }

  /** Records an action that is done. */
  record({ from, to, at }: DatedPeriod): void {
    const { base, done, periods } = this.state;
    const dates = { from: from.toISOString(), to: to.toISOString(), at: at.toISOString() };
    this.state = { base, done: done + 1, periods: [...periods, dates] };
    write(this.path, this.state);
  }

  /** All of the demo data is there. */
  finish(): void {
    rmSync(this.path, { force: true });
  }
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'demo-data.json');
}

function write(path: string, state: State): void {
  writeFileSync(`${path}.new`, JSON.stringify(state));
  renameSync(`${path}.new`, path);
}

/** Something that happened in the demo team's past. */
export interface DemoAction {
  at: Date;
  run(): Promise<unknown>;
}

/** Collects actions in any order; they run from the oldest to the newest. */
export class Timeline {
  private readonly actions: DemoAction[] = [];

  constructor(readonly base: Date) {}

  /** Adds an action on the day `days` before the present. */
  add(days: number, run: DemoAction['run']): void {
    this.actions.push({ at: daysBefore(this.base, days), run });
  }

  get inOrder(): DemoAction[] {
    return this.actions.sort((one, other) => one.at.getTime() - other.at.getTime());
  }
}
