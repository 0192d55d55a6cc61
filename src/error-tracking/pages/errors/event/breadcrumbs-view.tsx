import type { VNode } from 'preact';
import { Badge, Card, type Tone } from '../../../../core/ui/components/content.js';
import { Cell, Table } from '../../../../core/ui/components/table.js';
import type { BreadcrumbDetails } from '../../../events/surroundings.js';
import { Fold, LongText } from './fold.js';
import { TextPairs } from './text-pairs.js';

const MOST_BREADCRUMBS = 30;
const MOST_FIELDS = 10;

const COLUMNS = [{ label: 'Time (UTC)' }, { label: 'Kind' }, { label: 'What happened' }];

const TONES: ReadonlyMap<string, Tone> = new Map([
  ['fatal', 'danger'],
  ['critical', 'danger'],
  ['error', 'danger'],
  ['warning', 'warning'],
]);

/** Breadcrumbs, newest first. */
export function BreadcrumbsCard({
  breadcrumbs,
}: {
  breadcrumbs: BreadcrumbDetails[];
}): VNode | null {
  if (breadcrumbs.length === 0) return null;
  const rows = breadcrumbs.toReversed().map((one, index) => <Row key={index} breadcrumb={one} />);
  return (
    <Card title="What happened before">
      <p class="text-muted-foreground text-sm">The latest comes first.</p>
      <Fold
        items={rows}
        limit={MOST_BREADCRUMBS}
        noun="steps"
        frame={(some, part) => (
          <Table
            caption={part === 'first' ? 'What happened before' : 'What happened long before'}
            columns={COLUMNS}
          >
            {some}
          </Table>
        )}
      />
    </Card>
  );
}

function Row({ breadcrumb }: { breadcrumb: BreadcrumbDetails }): VNode {
  const { at, category, type, level, message, data } = breadcrumb;
  const kind = [category, type].find((one) => one !== null && one !== '') ?? 'default';
  return (
    <tr>
      <Cell>{at === null ? '' : <ClockTime value={at} />}</Cell>
      <Cell>
        <div class="grid justify-items-start gap-1">
          <span class="min-w-20 max-w-40 wrap-anywhere whitespace-normal">{kind}</span>
          {level !== null && level !== 'info' && <LevelWord level={level} />}
        </div>
      </Cell>
      <Cell wrap>
        <div class="grid grid-cols-1 gap-1">
          {message !== null && <LongText text={message} />}
          {data.length > 0 && <TextPairs pairs={data} noun="fields" limit={MOST_FIELDS} />}
        </div>
      </Cell>
    </tr>
  );
}

function LevelWord({ level }: { level: string }): VNode {
  return <Badge tone={TONES.get(level.toLowerCase()) ?? 'neutral'}>{level.slice(0, 20)}</Badge>;
}

/** To the millisecond: what comes before an error comes fast. */
function ClockTime({ value }: { value: Date }): VNode {
  const iso = value.toISOString();
  return (
    <time class="whitespace-nowrap tabular-nums" dateTime={iso}>
      {iso.slice(11, 23)}
    </time>
  );
}
