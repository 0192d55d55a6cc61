import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { ErrorPlace } from './error-place.js';
import type { EnvelopePoster } from './error-post.js';
import { pause, Repeater } from './storm.js';

/** Errors of a project, which all senders report. */
export const ERRORS = 20;
/** Maximum number of affected users. */
export const PEOPLE = 7;

const CONTEXT_LINES = 12;
const FRAMES = 50;

/** Frames that make an event as large as those of large programs: about 50 KB. */
const STACK = Array.from({ length: FRAMES }, (_, at) => ({
  function: `step${at}`,
  module: `shop.module${at % 9}`,
  filename: `/srv/shop/module${at % 9}.js`,
  lineno: at,
  in_app: at % 2 === 0,
  pre_context: Array.from(
    { length: CONTEXT_LINES },
    (_, line) => `const value${line} = next(${at}, ${line * at});`,
  ),
  context_line: `return sum(value${at});`,
  post_context: Array.from(
    { length: CONTEXT_LINES },
    (_, line) => `const rest${line} = last(${line}, ${line + at});`,
  ),
}));

/** Sender's knowledge about an event: `untold` may be stored or not. */
export interface SentEvent {
  eventId: string;
  projectId: number;
  ending: 'acknowledged' | 'untold';
}

interface SenderOptions {
  place: ErrorPlace;
  poster: EnvelopePoster;
  /** Responses to all senders. */
  ledger: SentEvent[];
  /** Number of its first round, so that senders report different errors at once. */
  first: number;
}

/** Reports events; every second one that was not acknowledged is sent again until it is. */
export class ErrorSender extends Repeater {
  private rounds: number;

  constructor(private readonly options: SenderOptions) {
    super();
    this.rounds = options.first;
  }

  protected async round(): Promise<void> {
    const { place, ledger } = this.options;
    this.rounds += 1;
    const eventId = randomBytes(16).toString('hex');
    const body = envelopeOf(eventId, this.rounds);
    const again = this.rounds % 2 === 0;
    let isAcknowledged = await this.send(body);
    while (!isAcknowledged && again && !this.isStopping) isAcknowledged = await this.send(body);
    const ending = isAcknowledged ? 'acknowledged' : 'untold';
    ledger.push({ eventId, projectId: place.projectId, ending });
    // A stored event can come again at any time, acknowledged or not.
    if (this.rounds % 10 === 0) await this.send(body);
  }

  private async send(body: Buffer): Promise<boolean> {
    const { place, poster } = this.options;
    const posted = await poster.post(place.url, body, { 'Content-Encoding': 'gzip' });
    if (posted === 200) {
      this.acknowledged += 1;
      return true;
    }
    if (typeof posted === 'number' && posted !== 429) this.oddities.push(`status ${posted}`);
    await pause();
    return false;
  }
}

function envelopeOf(eventId: string, round: number): Buffer {
  const type = `Error${round % ERRORS}`;
  const event = {
    event_id: eventId,
    platform: 'node',
    user: { id: String(Math.floor(round / ERRORS) % PEOPLE) },
    exception: { values: [{ type, value: `order ${round}`, stacktrace: { frames: STACK } }] },
  };
  const text = `${JSON.stringify({ event_id: eventId })}\n{"type":"event"}\n${JSON.stringify(event)}`;
  return gzipSync(text, { level: 1 });
}
