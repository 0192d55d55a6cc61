import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { countCacheRequest } from '../../metrics/metrics-registry.js';
import type { HighlightJob, HighlightResult } from './highlight-thread.js';

/** HTML of each text's lines; null = to be shown as plain text. */
export type HighlightedLines = string[][] | null;

/** Longer texts, and texts with longer lines, stay plain: they are generated or minified. */
const MAX_CHARACTERS = 200_000;
const MAX_LINE = 2_000;
/** A page waits this long at most, the start of the thread included. */
const PATIENCE_MS = 2_000;
/** A job that runs longer ends with its thread. */
const TIMEOUT_MS = 1_000;
/** Until a text that took too long is tried again. */
const PLAIN_MS = 300_000;
const MAX_WAITING = 64;
/** Until a result is forgotten. */
const KEPT_MS = 3_600_000;
/** Gives the memory of the languages back. */
const IDLE_MS = 60_000;
const MAX_CACHED_CHARACTERS = 6_000_000;

interface WaitingJob extends HighlightJob {
  resolve(lines: HighlightedLines): void;
}

/**
 * Highlights code in a thread, so that neither length nor content of a text keeps other requests
 * waiting; remembers recent results.
 */
@Injectable()
export class CodeHighlighter implements OnApplicationShutdown {
  private readonly results = new LRUCache<string, { lines: HighlightedLines }>({
    maxSize: MAX_CACHED_CHARACTERS,
    ttl: KEPT_MS,
    ttlAutopurge: true,
    sizeCalculation: ({ lines }) => 100 + (lines?.flat().join('').length ?? 0),
  });
  private readonly waiting: WaitingJob[] = [];
  private thread: Worker | null = null;
  private isReady = false;
  private running: WaitingJob | null = null;
  private timer: NodeJS.Timeout | undefined;

  /**
   * Highlights texts of one language, which `hint` names: by its own name, or by the name of a file.
   * Returns null when the language is unknown, the texts are too long or it takes too long.
   */
  async highlight(texts: readonly string[], hint: string): Promise<HighlightedLines> {
    if (hint === '' || !isHighlightable(texts)) return null;
    const key = hash('sha1', JSON.stringify([hint, texts]), 'base64');
    const known = this.results.get(key);
    countCacheRequest('highlighting', known !== undefined);
    if (known !== undefined) return known.lines;
    if (this.waiting.length >= MAX_WAITING) return null;
    const job = this.run(texts, hint).then((lines) => {
      this.results.set(key, { lines }, lines === null ? { ttl: PLAIN_MS } : {});
      return lines;
    });
    return Promise.race([job, sleep(PATIENCE_MS, null, { ref: false })]);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.thread?.terminate();
  }

  private run(texts: readonly string[], hint: string): Promise<HighlightedLines> {
    return new Promise((resolve) => {
      this.waiting.push({ texts, hint, resolve });
      this.startNext();
    });
  }

  private startNext(): void {
    if (this.running !== null) return;
    this.thread ??= this.makeThread();
    if (!this.isReady) return;
    clearTimeout(this.timer);
    const next = this.waiting.shift();
    if (next === undefined) {
      this.timer = setTimeout(() => this.endThread(), IDLE_MS).unref();
      return;
    }
    this.running = next;
    this.timer = setTimeout(() => this.endThread(), TIMEOUT_MS).unref();
    const { texts, hint } = next;
    this.thread.postMessage({ texts, hint } satisfies HighlightJob);
  }

  private makeThread(): Worker {
    const thread = new Worker(new URL('./highlight-thread.js', import.meta.url));
    thread.unref();
    thread.on('message', (message: 'ready' | HighlightResult) => {
      if (this.thread !== thread) return;
      if (message === 'ready') this.isReady = true;
      else this.finish(message.lines);
      this.startNext();
    });
    // A language's bug must not end the process; its text stays plain.
    thread.on('error', () => {
      if (this.thread !== thread) return;
      if (!this.isReady) for (const { resolve } of this.waiting.splice(0)) resolve(null);
      this.endThread();
    });
    return thread;
  }

  /** The next job starts another one. */
  private endThread(): void {
    void this.thread?.terminate();
    this.thread = null;
    this.isReady = false;
    this.finish(null);
    if (this.waiting.length > 0) this.startNext();
  }

  private finish(lines: HighlightedLines): void {
    this.running?.resolve(lines);
    this.running = null;
  }
}

function isHighlightable(texts: readonly string[]): boolean {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length <= MAX_CHARACTERS && texts.every(hasShortLines);
}

function hasShortLines(text: string): boolean {
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    if (end - start > MAX_LINE) return false;
    start = end + 1;
  }
  return text.length - start <= MAX_LINE;
}
