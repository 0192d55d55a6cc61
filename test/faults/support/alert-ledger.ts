import { isAnswered, type Posted } from './alert-post.js';

/**
 * `stored` = acknowledged with 200; `refused` = answered with 4xx; `untold` = the sender cannot know:
 * cut off, or 503, which a lost database may follow; `unsent` = nothing listened.
 */
export type CallEnding = 'stored' | 'refused' | 'untold' | 'unsent';

/** One call of a webhook, and what its sender knows about it. */
export interface AlertCall {
  /** Stands in the body, by which its delivery is found. */
  mark: string;
  projectId: number;
  /** Titles of the alerts that fire, each as often as it does. */
  fires: readonly string[];
  ending: CallEnding;
  /** Alerts in the response; empty unless it was stored. */
  touched: readonly { iid: number; title: string }[];
  startedAt: number;
  endedAt: number;
}

/** Responses to all senders. */
export class AlertLedger {
  readonly calls: AlertCall[] = [];
  /** Titles of alerts whose recovery was acknowledged. */
  readonly ended: string[] = [];
  private marks = 0;

  nextMark(): string {
    this.marks += 1;
    return `call-${this.marks}`;
  }

  count(ending: CallEnding): number {
    return this.calls.filter((call) => call.ending === ending).length;
  }

  /** Returns the number of events of all calls with these outcomes, by project and title. */
  fired(...endings: CallEnding[]): Map<string, number> {
    return tally(this.calls.filter(({ ending }) => endings.includes(ending)));
  }
}

/** Returns the number of events of each alert, by `alertName`. */
export function tally(calls: readonly AlertCall[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { projectId, fires } of calls) {
    for (const title of fires) {
      const name = alertName(projectId, title);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}

export function alertName(projectId: number, title: string): string {
  return `${projectId} ${title}`;
}

/** Returns the outcome of a call for its sender. */
export function endingOf(posted: Posted): CallEnding {
  if (posted === 'unsent') return 'unsent';
  if (!isAnswered(posted) || posted.status >= 500) return 'untold';
  return posted.status === 200 ? 'stored' : 'refused';
}
