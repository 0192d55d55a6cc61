import { monitoringBody } from '../../support/alert-factories.js';
import { endingOf, type AlertCall, type AlertLedger } from './alert-ledger.js';
import { firing, type AlertPlace } from './alert-place.js';
import { isAnswered, type Posted, type WebhookPoster } from './alert-post.js';
import { pause, Repeater } from './storm.js';

/** Alerts that all senders of a project repeat. */
const SHARED = 5;

interface SenderOptions {
  place: AlertPlace;
  poster: WebhookPoster;
  ledger: AlertLedger;
  /** Makes its own titles different from those of others. */
  name: string;
  /** Where it sends instead: another process of the same instance. */
  at?: { from: string; to: string };
}

type Recipient = 'plain' | 'monitoring';

/** Sends new and repeated alerts, single and in batches, and ends some of its own. */
export class AlertSender extends Repeater {
  private rounds = 0;

  constructor(private readonly options: SenderOptions) {
    super();
  }

  protected async round(): Promise<void> {
    this.rounds += 1;
    const own = `${this.options.name}-${this.rounds}`;
    const shared = `shared-${this.rounds % SHARED}`;
    if (this.rounds % 4 === 1) await this.send('plain', [own]);
    if (this.rounds % 4 === 2) await this.send('plain', [shared]);
    if (this.rounds % 4 === 3) await this.sendBatch(own, shared);
    if (this.rounds % 4 === 0) await this.episode(own);
  }

  private async sendBatch(own: string, shared: string): Promise<void> {
    const mine = [0, 1, 2].map((count) => `${own}-${count}`);
    await this.send('monitoring', [shared, ...mine, shared, `of-batches-${own.length}`, shared]);
  }

  /** An alert that fires twice and recovers, each until the sender has been told that it did. */
  private async episode(title: string): Promise<void> {
    for (let times = 0; times < 2; times += 1) {
      while ((await this.send('plain', [title])).ending !== 'stored') await pause();
    }
    let mayBeOver = false;
    for (;;) {
      const { ending } = await this.send('plain', [], { title, fingerprint: title, ...OVER });
      if (ending === 'refused' && !mayBeOver) this.oddities.push(`${title} was no longer open`);
      if (ending === 'stored' || ending === 'refused') break;
      mayBeOver ||= ending === 'untold';
      await pause();
    }
    this.options.ledger.ended.push(title);
  }

  /** Without a body, one that lets the titles fire. */
  private async send(to: Recipient, fires: string[], body?: object): Promise<AlertCall> {
    const { place, ledger, poster, at = { from: '', to: '' } } = this.options;
    const { url, token } = place[to];
    const mark = ledger.nextMark();
    const startedAt = Date.now();
    const target = { url: url.replace(at.from, at.to), token };
    const posted = await poster.post(target, { ...(body ?? bodyOf(to, fires)), mark });
    const endedAt = Date.now();
    const ending = endingOf(posted);
    const touched = ending === 'stored' ? touchedBy(posted) : [];
    const times = { startedAt, endedAt };
    const call = { mark, projectId: place.project.id, fires, ending, touched, ...times };
    ledger.calls.push(call);
    this.note(posted, fires);
    if (ending === 'untold' || ending === 'unsent') await pause();
    return call;
  }

  private note(posted: Posted, fires: readonly string[]): void {
    if (!isAnswered(posted)) return;
    const { status, retryAfter, body } = posted;
    if (status === 200) this.acknowledged += 1;
    const isExpected =
      status === 200 ||
      (status === 400 && fires.length === 0) ||
      (status === 503 && retryAfter !== null);
    if (!isExpected) this.oddities.push(`${status} ${JSON.stringify(body)}`);
  }
}

const OVER = { end_time: '2026-03-01T11:00:00Z' };

function touchedBy(posted: Posted): AlertCall['touched'] {
  return isAnswered(posted) ? (posted.body as AlertCall['touched']) : [];
}

function bodyOf(to: Recipient, fires: readonly string[]): object {
  const [title] = fires;
  return to === 'plain' ? { title, fingerprint: title } : monitoringBody(firing(fires));
}
