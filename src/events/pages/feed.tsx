import type { VNode } from 'preact';
import { EVENT_TARGETS } from '../../core/activity/event.entity.js';
import { Avatar } from '../../core/ui/components/avatar.js';
import { ReferencedText } from '../../core/ui/components/markdown.js';
import { dayText, Time } from '../../core/ui/components/time.js';
import { describeRun, EventSentence, PushedCommits } from './event-sentence.js';
import type { FeedEvent } from './feed-reader.service.js';

/** Of a comment; the rest is a click away. */
const EXCERPT_LENGTH = 200;

interface FeedProps {
  events: readonly FeedEvent[];
  /** Shows the project of each event: in feeds of several projects. */
  namesProjects: boolean;
  /** Of the days; below another heading they are smaller. */
  headings?: 'h2' | 'h3';
}

/** Activity feed, newest first, grouped by day; runs of equal events are folded. */
export function Feed({ events, namesProjects, headings: Heading = 'h2' }: FeedProps): VNode {
  return (
    <div class="flex min-w-0 flex-col gap-4">
      {daysOf(events).map(({ day, items }) => (
        <section key={day} class="card">
          <header>
            <Heading class="font-semibold">
              <time dateTime={day}>{dayText(day)}</time>
            </Heading>
          </header>
          <ul aria-label={`Activity on ${dayText(day)}`}>
            {runsOf(items).map((run) => (
              <Run key={run[0].event.id} run={run} namesProjects={namesProjects} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Consecutive events of one kind by one author in one project, newest first. */
type EventRun = [FeedEvent, ...FeedEvent[]];

/** Shorter runs are not folded. */
const SHORTEST_FOLD = 3;

function Run({ run, namesProjects }: { run: EventRun; namesProjects: boolean }): VNode {
  const items = run.map((item) => (
    <FeedItem key={item.event.id} item={item} namesProjects={namesProjects} />
  ));
  if (run.length < SHORTEST_FOLD) return <>{items}</>;
  const [{ event, project }] = run;
  const name = event.author?.name ?? 'Deleted user';
  return (
    <li class="item p-0">
      <details class="fold w-full">
        <summary>
          <Avatar name={name} owner={event.author} />
          <span class="min-w-0 grow break-words">
            <strong class="font-medium">{name}</strong> {describeRun(run)}
            {namesProjects && !isAboutProject(event) && ` in ${project.fullPath}`}
          </span>
          <Time value={event.createdAt} />
        </summary>
        <ul class="border-t">{items}</ul>
      </details>
    </li>
  );
}

function runsOf(items: readonly FeedEvent[]): EventRun[] {
  const runs: EventRun[] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last !== undefined && isAlike(last[0], item)) last.push(item);
    else runs.push([item]);
  }
  return runs;
}

function isAlike({ event: one }: FeedEvent, { event: other }: FeedEvent): boolean {
  return (
    one.authorId === other.authorId &&
    one.projectId === other.projectId &&
    one.action === other.action &&
    one.targetType === other.targetType &&
    one.noteableType === other.noteableType &&
    one.pushAction === other.pushAction &&
    one.refType === other.refType &&
    (one.ref === null) === (other.ref === null)
  );
}

function FeedItem({ item, namesProjects }: { item: FeedEvent; namesProjects: boolean }): VNode {
  const { event, project } = item;
  return (
    <li class="item grid grid-cols-[auto_minmax(0,1fr)] items-start sm:grid-cols-[auto_minmax(0,1fr)_auto]">
      <Avatar name={event.author?.name ?? 'Deleted user'} owner={event.author} />
      <div class="min-w-0 pt-0.5">
        <p class="break-words">
          <Author item={item} /> <EventSentence event={event} project={project} />
          {namesProjects && !isAboutProject(event) && <ProjectName item={item} />}
        </p>
        <Details item={item} />
      </div>
      <span class="text-muted-foreground max-sm:col-start-2 max-sm:text-xs sm:pt-0.5">
        <Time value={event.createdAt} />
      </span>
    </li>
  );
}

function isAboutProject({ targetType }: FeedEvent['event']): boolean {
  return targetType === EVENT_TARGETS.project;
}

function Author({ item: { event } }: { item: FeedEvent }): VNode {
  if (event.author === null) return <span class="font-medium">Deleted user</span>;
  return (
    <a class="prose-link font-medium" href={`/${event.author.username}`}>
      {event.author.name}
    </a>
  );
}

function ProjectName({ item: { project } }: { item: FeedEvent }): VNode {
  return (
    <>
      {' in '}
      <a class="prose-link" href={`/${project.fullPath}`}>
        {project.fullPath}
      </a>
    </>
  );
}

/** The newest commit of a push, or the beginning of a comment. */
function Details({ item: { event, project } }: { item: FeedEvent }): VNode | null {
  if (event.note !== null) {
    return (
      <blockquote class="text-muted-foreground mt-1 border-l-2 pl-3 break-words">
        <ReferencedText text={excerpt(event.note.body)} project={project.fullPath} />
      </blockquote>
    );
  }
  return <PushedCommits event={event} project={project} />;
}

/** Whole characters of the text as it was written. */
function excerpt(text: string): string {
  const start = text.slice(0, EXCERPT_LENGTH * 2).trim();
  const characters = Array.from(start);
  if (characters.length <= EXCERPT_LENGTH && start.length === text.trim().length) return start;
  return `${characters.slice(0, EXCERPT_LENGTH).join('')}…`;
}

function daysOf(events: readonly FeedEvent[]): { day: string; items: FeedEvent[] }[] {
  const days = new Map<string, FeedEvent[]>();
  for (const item of events) {
    const day = item.event.createdAt.toISOString().slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), item]);
  }
  return [...days].map(([day, items]) => ({ day, items }));
}
