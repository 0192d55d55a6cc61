import { Controller, Get, Param, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import { Page } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import { NotFoundError } from '../../core/errors.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { TextParam } from '../../core/params/params.decorator.js';
import { counted, countText } from '../../core/ui/amounts.js';
import { Badge, Card, PageHeader } from '../../core/ui/components/content.js';
import { Cell, Table } from '../../core/ui/components/table.js';
import { refusalText } from '../../core/ui/forms.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import { JobPage } from './job.page.js';
import { JOB_STATES, QueueJobs, type JobState, type ListedQueue } from './queue-jobs.service.js';
import {
  NoJobs,
  PURPOSES,
  QueueJobList,
  QueuePage,
  queuePath,
  QUEUES_PATH,
  QueueTabs,
  STATE_LABELS,
  type QueueListing,
} from './queue.page.js';

class QueueJobsDto {
  /** State of the listed jobs. */
  @TextParam()
  state?: string | null;
}

const ADMIN = { label: 'Admin', href: '/admin' };
const QUEUES = { label: 'Queues', href: QUEUES_PATH };

/** The queues and their jobs, for administrators. */
@Controller(atRoot('admin/queues'))
@Page('administrate')
export class QueuePagesController {
  constructor(private readonly jobs: QueueJobs) {}

  @Get()
  async list(@Context() pageContext: PageContext): Promise<HttpResponse> {
    const page = QueuesPage({ queues: await this.jobs.list(), hasRedis: this.jobs.hasRedis });
    return pageContext.render(page, { title: 'Queues', nav: 'admin', crumbs: [ADMIN] });
  }

  /** Shows the jobs of a queue in one state. */
  @Get(':queue')
  async show(
    @Context() pageContext: PageContext,
    @Param('queue') name: string,
    @Input() input: QueueJobsDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const listing = await this.listing(name, input, paging);
    const page = QueuePage({ ...listing, csrfToken: pageContext.csrfToken });
    return pageContext.render(page, { title: name, nav: 'admin', crumbs: [ADMIN, QUEUES] });
  }

  /** Shows the live part of that page. */
  @Get(':queue/live')
  async live(
    @Context() pageContext: PageContext,
    @Param('queue') name: string,
    @Input() input: QueueJobsDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const listing = await this.listing(name, input, paging);
    return pageContext.fragment(
      <>
        <QueueJobList {...listing} csrfToken={pageContext.csrfToken} />
        <QueueTabs {...listing} isLive />
      </>,
    );
  }

  @Get(':queue/jobs/:job_id')
  async job(
    @Context() pageContext: PageContext,
    @Param('queue') name: string,
    @Param('job_id') id: string,
  ): Promise<HttpResponse> {
    const found = await this.jobs.findJob(name, id);
    if (found === null) throw new NotFoundError('Job');
    const page = JobPage({ ...found, queue: name, csrfToken: pageContext.csrfToken });
    const crumbs = [ADMIN, QUEUES, { label: name, href: queuePath(name) }];
    return pageContext.render(page, { title: `Job ${id}`, nav: 'admin', crumbs });
  }

  @Post(':queue/pause')
  async pause(
    @Context() pageContext: PageContext,
    @Param('queue') name: string,
    @Auth() actor: AuthContext,
  ): Promise<HttpResponse> {
    await this.jobs.pause(name, actor);
    return pageContext.redirect(queuePath(name), { notice: 'Queue paused.' });
  }

  @Post(':queue/resume')
  async resume(
    @Context() pageContext: PageContext,
    @Param('queue') name: string,
    @Auth() actor: AuthContext,
  ): Promise<HttpResponse> {
    await this.jobs.resume(name, actor);
    return pageContext.redirect(queuePath(name), { notice: 'Queue resumed.' });
  }

  /** Retries all failed jobs. */
  @Post(':queue/retry')
  async retryAll(
    @Context() pageContext: PageContext,
    @Param('queue') name: string,
    @Auth() actor: AuthContext,
  ): Promise<HttpResponse> {
    const count = await this.jobs.retryFailed(name, actor);
    return pageContext.redirect(queuePath(name), { notice: `Retrying ${counted(count, 'job')}.` });
  }

  /** Removes all failed jobs. */
  @Post(':queue/clear')
  async clear(
    @Context() pageContext: PageContext,
    @Param('queue') name: string,
    @Auth() actor: AuthContext,
  ): Promise<HttpResponse> {
    const count = await this.jobs.removeFailed(name, actor);
    return pageContext.redirect(queuePath(name), { notice: `Removed ${counted(count, 'job')}.` });
  }

  /** Runs a failed or delayed job. */
  @Post(':queue/jobs/:job_id/retry')
  retry(
    @Context() pageContext: PageContext,
    @Param('queue') name: string,
    @Param('job_id') id: string,
    @Auth() actor: AuthContext,
  ): Promise<HttpResponse> {
    const done = this.jobs.run(name, id, actor);
    return this.back(pageContext, name, { done, notice: `Retrying job ${id}.` });
  }

  @Post(':queue/jobs/:job_id/remove')
  remove(
    @Context() pageContext: PageContext,
    @Param('queue') name: string,
    @Param('job_id') id: string,
    @Auth() actor: AuthContext,
  ): Promise<HttpResponse> {
    const done = this.jobs.remove(name, id, actor);
    return this.back(pageContext, name, { done, notice: `Removed job ${id}.` });
  }

  private async back(
    pageContext: PageContext,
    name: string,
    { done, notice }: { done: Promise<void>; notice: string },
  ): Promise<HttpResponse> {
    try {
      await done;
    } catch (error) {
      return pageContext.redirect(queuePath(name), { alert: refusalText(error) });
    }
    return pageContext.redirect(queuePath(name), { notice });
  }

  /** Shows failed jobs first, if there are any. */
  private async listing(name: string, input: QueueJobsDto, paging: Paging): Promise<QueueListing> {
    const queue = await this.jobs.find(name);
    const { hasRedis } = this.jobs;
    const chosen = JOB_STATES.find((one) => one === input.state);
    const state = chosen ?? ((queue.counts?.failed ?? 0) > 0 ? 'failed' : 'waiting');
    const jobs = queue.counts === null ? null : await this.jobs.page(name, state, paging);
    return { queue, state, jobs, paging, hasRedis };
  }
}

interface QueuesPageProps {
  queues: ListedQueue[];
  /** False for an instance that runs without Redis. */
  hasRedis: boolean;
}

const COLUMNS = [
  { label: 'Queue' },
  ...JOB_STATES.map((state) => ({ label: STATE_LABELS[state], align: 'end' as const })),
];

/** The queues of the instance with their jobs by state. */
function QueuesPage({ queues, hasRedis }: QueuesPageProps): VNode {
  return (
    <>
      <PageHeader title="Queues" description="Jobs announce work to the workers through Redis." />
      {queues.every(({ counts }) => counts === null) ? (
        <NoJobs hasRedis={hasRedis} />
      ) : (
        <Card flush>
          <Table caption="Queues" columns={COLUMNS} stacked>
            {queues.map((queue) => (
              <QueueRow key={queue.name} queue={queue} />
            ))}
          </Table>
        </Card>
      )}
    </>
  );
}

function QueueRow({ queue: { name, counts, isPaused } }: { queue: ListedQueue }): VNode {
  const href = queuePath(name);
  return (
    <tr>
      <Cell lead>
        <a href={href}>{name}</a> {isPaused && <Badge tone="warning">Paused</Badge>}
        <small>{PURPOSES[name]}</small>
      </Cell>
      {JOB_STATES.map((state) => (
        <Cell key={state} align="end" label={STATE_LABELS[state]}>
          {counts !== null && (
            <Count href={`${href}?state=${state}`} count={counts[state]} state={state} />
          )}
        </Cell>
      ))}
    </tr>
  );
}

function Count({ href, count, state }: { href: string; count: number; state: JobState }): VNode {
  if (count === 0) return <span class="text-muted-foreground">0</span>;
  return (
    <a class={state === 'failed' ? 'text-destructive!' : undefined} href={href}>
      {countText(count)}
    </a>
  );
}
