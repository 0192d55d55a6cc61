import type { VNode } from 'preact';
import { Badge, Card, type Tone } from '../../../../core/ui/components/content.js';
import type { BreadcrumbDetails } from '../../../events/context-details.js';
import type { TextPair } from '../../../events/truncator.js';
import { Fold, LongText } from './text-parts.js';

const MOST_BREADCRUMBS = 30;
const MOST_FIELDS = 10;

const TONES: ReadonlyMap<string, Tone> = new Map([
  ['fatal', 'danger'],
  ['critical', 'danger'],
  ['error', 'danger'],
  ['warning', 'warning'],
]);

interface BreadcrumbsCardProps {
  breadcrumbs: BreadcrumbDetails[];
  /** Time of the event, to which the times of breadcrumbs are relative. */
  occurredAt: Date;
}

/** Breadcrumbs, newest first. */
export function BreadcrumbsCard({ breadcrumbs, occurredAt }: BreadcrumbsCardProps): VNode | null {
  if (breadcrumbs.length === 0) return null;
  const rows = breadcrumbs
    .toReversed()
    .map((one, index) => <Breadcrumb key={index} breadcrumb={one} occurredAt={occurredAt} />);
  return (
    <Card
      title="Breadcrumbs"
      actions={<span class="text-muted-foreground">Newest first</span>}
      flush
    >
      <Fold
        items={rows}
        limit={MOST_BREADCRUMBS}
        noun="breadcrumbs"
        frame={(some) => <ol class="divide-y">{some}</ol>}
        flush
      />
    </Card>
  );
}

function Breadcrumb(props: { breadcrumb: BreadcrumbDetails; occurredAt: Date }): VNode {
  const { at, category, type, level } = props.breadcrumb;
  const kind = [category, type].find((one) => one !== null && one !== '') ?? 'default';
  const { text, pairs } = summaryOf(props.breadcrumb);
  return (
    <li class="flex items-start gap-3 px-3 py-1.5">
      <span class="badge h-auto min-h-5 w-20 justify-center wrap-anywhere whitespace-normal">
        {kind}
      </span>
      <div class="grid min-w-0 grow grid-cols-1 font-mono text-xs/5">
        {text !== null && <LongText text={text} />}
        {pairs.length > 0 && <InlinePairs pairs={pairs} />}
      </div>
      {level !== null && level !== 'info' && <LevelWord level={level} />}
      {at !== null && <Offset at={at} from={props.occurredAt} />}
    </li>
  );
}

/** The message of a breadcrumb, or what its data says in one line, and the rest of the data. */
function summaryOf({ message, data }: BreadcrumbDetails): {
  text: string | null;
  pairs: TextPair[];
} {
  if (message !== null) return { text: message, pairs: data };
  const { method, url, from, to } = Object.fromEntries(data);
  const without = (...names: string[]): TextPair[] =>
    data.filter(([name]) => !names.includes(name));
  if (url !== undefined) {
    return { text: `${method ?? ''} ${url}`.trim(), pairs: without('method', 'url') };
  }
  if (from !== undefined && to !== undefined) {
    return { text: `${from} → ${to}`, pairs: without('from', 'to') };
  }
  return { text: null, pairs: data };
}

function InlinePairs({ pairs }: { pairs: TextPair[] }): VNode {
  return (
    <Fold
      items={pairs.map(([name, text], index) => (
        <li key={index} class="min-w-0 wrap-anywhere">
          <span class="text-muted-foreground">{name}</span> <LongText text={text} />
        </li>
      ))}
      limit={MOST_FIELDS}
      noun="fields"
      frame={(some) => <ul class="flex flex-wrap gap-x-3">{some}</ul>}
    />
  );
}

function LevelWord({ level }: { level: string }): VNode {
  return <Badge tone={TONES.get(level.toLowerCase()) ?? 'neutral'}>{level.slice(0, 20)}</Badge>;
}

/** Time from the event to the breadcrumb: `-0.2 s`. */
function Offset({ at, from }: { at: Date; from: Date }): VNode {
  const iso = at.toISOString();
  return (
    <time
      class="text-muted-foreground flex-none text-right tabular-nums"
      dateTime={iso}
      title={`${iso.slice(0, 10)} ${iso.slice(11, 23)} UTC`}
    >
      {offsetText(at.getTime() - from.getTime())}
    </time>
  );
}

const UNITS = [
  { ms: 86_400_000, name: 'd' },
  { ms: 3_600_000, name: 'h' },
  { ms: 60_000, name: 'min' },
] as const;

/** `-0.2 s`, `-3 min`, `+2 h`: the unit of which there is at least one. */
function offsetText(milliseconds: number): string {
  const sign = milliseconds > 0 ? '+' : '-';
  const length = Math.abs(milliseconds);
  const unit = UNITS.find(({ ms }) => length >= ms);
  if (unit === undefined) return `${sign}${(length / 1_000).toFixed(1)} s`;
  return `${sign}${Math.floor(length / unit.ms)} ${unit.name}`;
}
