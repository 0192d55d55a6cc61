import type { Job } from 'bull';
import type { VNode } from 'preact';
import type { QueueName } from '../../core/durable-work/queues.js';
import type { Page } from '../../core/pagination/page.js';
import { filledAddress } from '../../core/ui/addresses.js';
import { counted } from '../../core/ui/amounts.js';
import { OverflowMenu } from '../../core/ui/components/button.js';
import { ConfirmButton } from '../../core/ui/components/confirm-button.js';
import { Badge, Card, EmptyState, PageHeader } from '../../core/ui/components/content.js';
import { PostButton } from '../../core/ui/components/form.js';
import { Item, ItemList, Pagination, pagingParams } from '../../core/ui/components/list.js';
import { LiveRegion } from '../../core/ui/components/live-region.js';
import { ProgressBar } from '../../core/ui/components/small-charts.js';
import { Tabs } from '../../core/ui/components/tabs.js';
import { Time } from '../../core/ui/components/time.js';
import { JOB_STATES, type JobState, type ListedQueue } from './queue-jobs.service.js';

export const QUEUES_PATH = '/admin/queues';

/** Labels of the states, for tabs, columns and badges. */
export const STATE_LABELS: Readonly<Record<JobState, string>> = {
  waiting: 'Waiting',
  running: 'Running',
  delayed: 'Delayed',
  failed: 'Failed',
};

const QUEUE_PURPOSES: Readonly<Record<QueueName, string>> = {
  'storage-moves': 'Moves repositories between storages',
  deletions: 'Deletes projects, groups and snippets',
  mails: 'Sends emails',
  alerts: 'Opens and closes incidents, emails recipients of alerts',
  notifications: 'Writes notification emails',
  'auto-merges': 'Merges when the pipeline succeeds',
};

/** Descriptions of the queues, by name. */
export const PURPOSES: Readonly<Record<string, string>> = QUEUE_PURPOSES;

const LIVE_SECONDS = 5;

export function queuePath(name: string): string {
  return `${QUEUES_PATH}/${encodeURIComponent(name)}`;
}

/** Data of the live part of the page. */
export interface QueueListing {
  queue: ListedQueue;
  state: JobState;
  /** null while Redis is not responding. */
  jobs: Page<Job> | null;
  /** False for an instance that runs without Redis. */
  hasRedis: boolean;
  paging: { page: number; perPage: number };
}

type QueuePageProps = QueueListing & { csrfToken: string };

/** The jobs of a queue, by state. */
export function QueuePage(props: QueuePageProps): VNode {
  const { queue, csrfToken } = props;
  return (
    <>
      <PageHeader
        title={queue.name}
        state={queue.isPaused && <Badge tone="warning">Paused</Badge>}
        description={PURPOSES[queue.name]}
        actions={queue.counts !== null && <QueueActions queue={queue} csrfToken={csrfToken} />}
      />
      <QueueTabs {...props} />
      <QueueJobList {...props} />
    </>
  );
}

function QueueActions({ queue, csrfToken }: Pick<QueuePageProps, 'queue' | 'csrfToken'>): VNode {
  const { name, isPaused, counts } = queue;
  const path = queuePath(name);
  const failed = counts?.failed ?? 0;
  return (
    <>
      {failed > 0 && (
        <PostButton action={`${path}/retry`} csrfToken={csrfToken}>
          Retry all failed
        </PostButton>
      )}
      <PostButton action={`${path}/${isPaused ? 'resume' : 'pause'}`} csrfToken={csrfToken}>
        {isPaused ? 'Resume' : 'Pause'}
      </PostButton>
      {failed > 0 && (
        <OverflowMenu of={name}>
          <ConfirmButton
            label="Remove all failed"
            title={`Remove all failed jobs from ${name}?`}
            question={`This removes ${counted(failed, 'failed job')} from Redis. Their work stays in the database.`}
            confirm="Remove jobs"
            action={`${path}/clear`}
            csrfToken={csrfToken}
          />
        </OverflowMenu>
      )}
    </>
  );
}

/** Tabs by state; live answers bring their counters along. */
export function QueueTabs({
  queue,
  state: current,
  isLive,
}: Pick<QueueListing, 'queue' | 'state'> & { isLive?: true }): VNode {
  const path = queuePath(queue.name);
  const addressOf = (state: JobState): string => filledAddress(path, { state });
  return (
    <Tabs
      id="job-states"
      isLive={isLive}
      label="States"
      items={JOB_STATES.map((state) => ({
        label: STATE_LABELS[state],
        href: addressOf(state),
        count: queue.counts?.[state],
      }))}
      current={addressOf(current)}
    />
  );
}

/** The jobs in one state, refreshed automatically. */
export function QueueJobList(props: QueuePageProps): VNode {
  const { queue, state, jobs, paging, hasRedis, csrfToken } = props;
  if (!hasRedis) return <NoJobs hasRedis={false} />;
  const path = queuePath(queue.name);
  return (
    <LiveRegion
      id="jobs"
      href={filledAddress(`${path}/live`, { state, ...pagingParams(paging) })}
      seconds={LIVE_SECONDS}
      label="Jobs"
    >
      <div class="flex flex-col gap-[10px]">
        {jobs === null ? (
          <NoJobs hasRedis />
        ) : jobs.items.length === 0 ? (
          <EmptyState title={`No ${STATE_LABELS[state].toLowerCase()} jobs`}>
            Jobs leave the queue as soon as they are completed.
          </EmptyState>
        ) : (
          <Card flush>
            <ItemList label="Jobs">
              {jobs.items.map((job) => (
                <JobItem key={job.id} path={path} job={job} state={state} csrfToken={csrfToken} />
              ))}
            </ItemList>
          </Card>
        )}
        {jobs !== null && <Pagination page={jobs} paging={paging} path={path} query={{ state }} />}
      </div>
    </LiveRegion>
  );
}

/** Shown in place of jobs that cannot be read. */
export function NoJobs({ hasRedis }: { hasRedis: boolean }): VNode {
  const [title, more] = hasRedis
    ? ['Redis is not responding', 'until it is back.']
    : ['Redis is not configured', 'only. Set REDIS_URL to start work without delay.'];
  return <EmptyState title={title}>Workers look for work in the database {more}</EmptyState>;
}

interface JobItemProps {
  /** Of its queue. */
  path: string;
  job: Job;
  state: JobState;
  csrfToken: string;
}

function JobItem({ path, job, state, csrfToken }: JobItemProps): VNode {
  const subject = Object.values(job.data as object).join(' ');
  const [label, time] = timeOf(job, state);
  return (
    <Item
      id={`job-${job.id}`}
      title={
        <>
          <a class="wrap-anywhere" href={jobPath(path, job)}>
            {job.name}
          </a>
          <span class="item-detail">{subject === '' ? `#${job.id}` : subject}</span>
        </>
      }
      actions={<JobButtons path={path} job={job} state={state} csrfToken={csrfToken} />}
    >
      {job.failedReason && (
        <p class="text-foreground line-clamp-2 wrap-anywhere">{job.failedReason}</p>
      )}
      {state === 'running' && <JobProgress job={job} />}
      <p>
        {attemptsText(job)} · {label} <Time value={new Date(time)} />
      </p>
    </Item>
  );
}

export function jobPath(queue: string, { id }: Job): string {
  return `${queue}/jobs/${encodeURIComponent(id)}`;
}

/** Runs and removes a job; a running one has no buttons. */
export function JobButtons({ path, job, state, csrfToken }: JobItemProps): VNode | null {
  if (state === 'running') return null;
  const address = jobPath(path, job);
  const hidden = <span class="sr-only">{` job ${job.id}`}</span>;
  return (
    <>
      {state !== 'waiting' && (
        <PostButton action={`${address}/retry`} csrfToken={csrfToken} size="small">
          {state === 'failed' ? 'Retry' : 'Run now'}
          {hidden}
        </PostButton>
      )}
      <PostButton action={`${address}/remove`} csrfToken={csrfToken} size="small">
        Remove
        {hidden}
      </PostButton>
    </>
  );
}

/** Progress of a running job; storage moves report it. */
export function JobProgress({ job }: { job: Job }): VNode {
  const progress: unknown = job.progress();
  const value = typeof progress === 'number' && progress > 0 ? { value: progress } : {};
  return <ProgressBar max={100} label={`Progress of job ${job.id}`} {...value} />;
}

/** `2 of 3 attempts`: those that ended. */
export function attemptsText({ attemptsMade, opts: { attempts = 1 } }: Job): string {
  return `${attemptsMade} of ${counted(attempts, 'attempt')}`;
}

/** The latest time of a job, and what happened then. */
function timeOf({ timestamp, processedOn, finishedOn }: Job, state: JobState): [string, number] {
  if (state === 'failed' && finishedOn) return ['failed', finishedOn];
  if (state === 'running' && processedOn) return ['started', processedOn];
  return ['added', timestamp];
}
