import type { VNode } from 'preact';
import { bytesText, durationText } from '../../core/ui/amounts.js';
import { Card, DescriptionList, PageHeader, type Fact } from '../../core/ui/components/content.js';
import { LiveRegion } from '../../core/ui/components/live-region.js';
import { Time } from '../../core/ui/components/time.js';
import { AdminSection } from '../../core/ui/sections/admin.js';
import { MOVES_PATH } from './move-list.js';
import { MoveBadge, MoveButtons, MoveProgress } from './move-progress.js';
import { isOpen, type ShownMove } from './shown-move.js';

interface MovePageProps {
  csrfToken: string;
  move: ShownMove;
}

/** One move, live until it is over. */
export function MovePage({ csrfToken, move }: MovePageProps): VNode {
  return (
    <AdminSection current="moves">
      <PageHeader
        title={`Move ${move.id} of a ${move.kind}`}
        description={<a href={move.container.href}>{move.container.label}</a>}
      />
      <MoveDetails csrfToken={csrfToken} move={move} />
    </AdminSection>
  );
}

/** The live part of the page of a move. */
export function MoveDetails({ csrfToken, move }: MovePageProps): VNode {
  return (
    <LiveRegion
      id="move"
      href={`${MOVES_PATH}/${move.kind}/${move.id}/live`}
      seconds={isOpen(move) ? 1 : null}
      label="State of the move"
    >
      <Card
        title={`${move.source_storage_name} → ${move.destination_storage_name}`}
        actions={<MoveBadge move={move} />}
      >
        <MoveProgress move={move} />
        <DescriptionList items={factsOf(move)} />
        <div>
          <MoveButtons move={move} csrfToken={csrfToken} />
        </div>
      </Card>
    </LiveRegion>
  );
}

function factsOf(move: ShownMove): Fact[] {
  return [
    { label: 'Scheduled', value: <Time value={move.created_at} /> },
    { label: 'Begun', value: <Time value={move.started_at} none="Not yet" /> },
    { label: 'Ended', value: <Time value={move.finished_at} none="Not yet" /> },
    { label: 'Attempts', value: move.attempts },
    {
      label: 'Size',
      value: move.bytes_total === null ? 'Not known yet' : bytesText(move.bytes_total),
    },
    { label: 'Copied', value: bytesText(move.bytes_copied) },
    {
      label: 'Rate',
      value:
        move.bytes_per_second === null ? 'Not measured' : `${bytesText(move.bytes_per_second)}/s`,
    },
    { label: 'Read-only for', value: durationText(move.read_only_seconds) },
    { label: 'Checksum', value: move.checksum && <code class="break-all">{move.checksum}</code> },
  ];
}
