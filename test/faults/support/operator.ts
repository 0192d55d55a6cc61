import { resolve } from 'node:path';
import { expect } from '@jest/globals';
import { Document } from '../../docs/document.js';
import { type CommandResult, runCommand } from '../../support/command.js';
import { eventually } from '../../support/eventually.js';
import type { FaultStack } from './stack.js';

/** An instance as the person on call can reach it. */
export type OnCallAccess = Pick<FaultStack, 'url' | 'environment' | 'rows'>;

const RUNBOOK = 'docs/runbook.md';

export const METRICS_TOKEN = 'metrics-metrics-metrics';

/** Runs a command on the instance. */
export function guildhall(
  stack: OnCallAccess,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  return runCommand(process.execPath, [resolve('dist/cli.js'), ...args], {
    env: { ...stack.environment, ...env },
  });
}

/**
 * The person on call, who knows no more than one section of the runbook: it must name each metric
 * that is read and each command that is run.
 */
export class Operator {
  private constructor(
    private readonly stack: OnCallAccess,
    private readonly runbook: Document,
    private readonly section: string,
  ) {}

  /** `heading` is that of the section. */
  static at(stack: OnCallAccess, heading: string): Operator {
    const runbook = new Document(RUNBOOK);
    const section = runbook.text.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
    if (section === undefined) throw new Error(`The runbook has no section ${heading}`);
    return new Operator(stack, runbook, section);
  }

  /** Sums the samples of a metric with all these labels (`state="waiting"`); 0 without one. */
  async metric(name: string, labels: string[] = [], port?: number): Promise<number> {
    const text = await this.scrape(port);
    const samples = text.split('\n').filter((line) => {
      const isNamed = line.startsWith(`${name} `) || line.startsWith(`${name}{`);
      return isNamed && labels.every((label) => line.includes(label));
    });
    return samples.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  /** Waits until the metric has the value, or the one that `wanted` accepts. */
  async sees(
    sample: string,
    wanted: number | ((value: number) => boolean),
    { port, seconds = 20 }: { port?: number; seconds?: number } = {},
  ): Promise<void> {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(sample) ?? [];
    expect(this.section).toContain(name);
    const parts = labels === '' ? [] : labels.split(',');
    await eventually(
      async () => {
        const value = await this.metric(name, parts, port);
        const isReached = typeof wanted === 'number' ? value === wanted : wanted(value);
        if (!isReached) throw new Error(`${sample} is ${value}`);
      },
      { seconds, everyMs: 200 },
    );
  }

  /** Runs a command of `guildhall` that the runbook names; `verb` is the part that it names. */
  async runs(
    verb: string,
    args: string[] = [],
    env: NodeJS.ProcessEnv = {},
  ): Promise<CommandResult> {
    expect(this.runbook.text).toContain(`guildhall ${verb}`);
    return guildhall(this.stack, [...verb.split(' '), ...args], env);
  }

  /** Ends a session of PostgreSQL as the section says. */
  async ends(pid: number): Promise<void> {
    const call = 'pg_terminate_backend(pid)';
    expect(this.section).toContain(call);
    await this.stack.rows(`SELECT ${call.replace('pid', '$1')}`, [pid]);
  }

  /** Runs the statement of a block of the section whose comment has this text. */
  async queries<T>(block: string, comment: string): Promise<T[]> {
    const statements = this.runbook.named(block).split('\n\n');
    const statement = statements.find((text) => text.includes(comment));
    if (statement === undefined) throw new Error(`${block} has no statement "${comment}"`);
    expect(this.section).toContain(statement);
    return this.stack.rows<T>(statement);
  }

  /** Names of the dependencies that do not respond. */
  async unready(): Promise<string[]> {
    const response = await fetch(`${this.stack.url}/-/readiness`);
    const checks = (await response.json()) as Record<string, { status: string }[]>;
    return Object.entries(checks)
      .filter(([, results]) => Array.isArray(results))
      .filter(([, results]) => results.some(({ status }) => status === 'failed'))
      .map(([name]) => name);
  }

  private async scrape(port?: number): Promise<string> {
    const url = port === undefined ? this.stack.url : `http://127.0.0.1:${port}`;
    const response = await fetch(`${url}/-/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    return response.text();
  }
}
