import type { Job } from 'bull';
import type { VNode } from 'preact';
import { QUEUES } from '../../core/durable-work/queues.js';
import {
  Badge,
  Card,
  DescriptionList,
  PageHeader,
  type Fact,
  type Tone,
} from '../../core/ui/components/content.js';
import { Time } from '../../core/ui/components/time.js';
import type { JobState } from './queue-jobs.service.js';
import { attemptsText, JobButtons, JobProgress, queuePath, STATE_LABELS } from './queue.page.js';

interface JobPageProps {
  queue: string;
  job: Job;
  state: JobState;
  csrfToken: string;
}

const TONES: Readonly<Record<JobState, Tone>> = {
  waiting: 'neutral',
  running: 'info',
  delayed: 'warning',
  failed: 'danger',
};

const DATA_LABELS: Readonly<Record<string, string>> = { kind: 'Kind', id: 'ID' };

/** Longer stack traces are cut off. */
const MAX_TRACE = 10_000;

/** A job with its error. */
export function JobPage({ queue, job, state, csrfToken }: JobPageProps): VNode {
  const path = queuePath(queue);
  const trace = job.stacktrace.at(-1)?.slice(0, MAX_TRACE);
  return (
    <>
      <PageHeader
        title={
          <>
            {job.name} <span class="text-muted-foreground font-normal">{job.id}</span>
          </>
        }
        state={<Badge tone={TONES[state]}>{STATE_LABELS[state]}</Badge>}
        actions={<JobButtons path={path} job={job} state={state} csrfToken={csrfToken} />}
      />
      {state === 'running' && <JobProgress job={job} />}
      <Card title="Details">
        <DescriptionList items={factsOf(queue, job)} />
      </Card>
      {job.failedReason && (
        <Card title="Last error">
          <p class="wrap-anywhere">{job.failedReason}</p>
          {trace !== undefined && (
            <pre role="region" aria-label="Stack trace" tabIndex={0}>
              <code>{trace}</code>
            </pre>
          )}
        </Card>
      )}
    </>
  );
}

function factsOf(queue: string, job: Job): Fact[] {
  const { timestamp, processedOn, finishedOn } = job;
  const data = job.data as Record<string, unknown>;
  return [
    ...Object.entries(data).map(([name, value]) => ({
      label: DATA_LABELS[name] ?? name,
      value: String(value),
    })),
    ...(queue === QUEUES.storageMoves && data['id'] !== undefined ? [moveFact(data)] : []),
    { label: 'Attempts', value: attemptsText(job) },
    { label: 'Added', value: <Time value={new Date(timestamp)} /> },
    { label: 'Last started', value: timeOf(processedOn) },
    { label: 'Last ended', value: timeOf(finishedOn) },
  ];
}

function moveFact({ kind, id }: Record<string, unknown>): Fact {
  const href = `/admin/storage_moves/${String(kind)}/${String(id)}`;
  return { label: 'Storage move', value: <a href={href}>#{String(id)}</a> };
}

function timeOf(time: number | null | undefined): VNode | null {
  return time == null ? null : <Time value={new Date(time)} />;
}
