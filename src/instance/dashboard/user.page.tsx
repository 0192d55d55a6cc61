import type { VNode } from 'preact';
import type { Viewer } from '../../core/access/auth-context.js';
import type { Page } from '../../core/pagination/page.js';
import { counted } from '../../core/ui/amounts.js';
import { Avatar } from '../../core/ui/components/avatar.js';
import { ButtonLink } from '../../core/ui/components/button.js';
import {
  Badge,
  Card,
  DescriptionList,
  EmptyState,
  PageHeader,
  type Fact,
} from '../../core/ui/components/content.js';
import { HeatMap, type HeatMapDay } from '../../core/ui/components/heat-map.js';
import { Pagination } from '../../core/ui/components/list.js';
import { Time } from '../../core/ui/components/time.js';
import { Feed } from '../../events/pages/feed.js';
import type { ShownActivity } from '../../events/pages/feed-reader.service.js';
import { firstDay, type ContributionDay } from '../../events/visible-events.repository.js';
import type { UserResponse } from '../../identity/users/user.presenter.js';
import { ProjectTable } from '../../workspace/projects/pages/project-table.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';

interface UserPageProps {
  viewer: Viewer | null;
  user: UserResponse;
  /** Digest of the avatar's images; null without one. */
  avatar: string | null;
  /** null when the viewer cannot see it. */
  activity: ShownActivity | null;
  page: Page<ProjectRow>;
  paging: { page: number; perPage: number };
}

/** A user with activity and personal projects; the profile is visible to signed-in users. */
export function UserPage(props: UserPageProps): VNode {
  const { viewer, user, avatar, activity, page, paging } = props;
  const isSelf = viewer?.id === user.id;
  const facts = viewer === null ? [] : factsOf(user);
  return (
    <>
      <PageHeader
        title={<UserName user={user} avatar={avatar} />}
        description={viewer === null ? undefined : user.bio || undefined}
        actions={
          isSelf && (
            <ButtonLink href="/-/user_settings/profile" variant="outline">
              Edit profile
            </ButtonLink>
          )
        }
      />
      {facts.length > 0 && (
        <Card title="Profile">
          <DescriptionList items={facts} />
        </Card>
      )}
      {activity !== null && <ProfileActivitySection activity={activity} />}
      <h2 class="section-head">Projects</h2>
      {page.items.length === 0 ? (
        <EmptyState title="No visible projects" />
      ) : (
        <ProjectTable caption="Projects" projects={page.items} />
      )}
      <Pagination page={page} paging={paging} path={`/${user.username}`} />
    </>
  );
}

function UserName({ user, avatar }: Pick<UserPageProps, 'user' | 'avatar'>): VNode {
  return (
    <span class="flex flex-wrap items-center gap-3">
      <Avatar name={user.name} owner={{ id: user.id, avatar }} size="large" />
      <span>
        {user.name}
        <span class="text-muted-foreground ml-2 text-base font-normal">{`@${user.username}`}</span>
      </span>
      {user.bot && <Badge tone="info">Bot</Badge>}
      {user.state !== 'active' && <Badge tone="warning">Not active</Badge>}
    </span>
  );
}

/** Returns the profile details of a user. */
function factsOf(user: UserResponse): Fact[] {
  const facts = [
    { label: 'Pronouns', value: user.pronouns },
    { label: 'Work', value: user.work_information ?? '' },
    { label: 'Location', value: user.location },
    { label: 'Email', value: user.public_email },
    { label: 'Website', value: websiteOf(user) },
    {
      label: 'Member since',
      value: user.created_at && <Time value={user.created_at.slice(0, 10)} />,
    },
  ];
  return facts.filter(({ value }) => value !== '' && value !== undefined);
}

/** Only addresses of the web become links: others could run as code. */
function websiteOf({ website_url: url }: UserResponse): VNode | string {
  if (!/^https?:\/\//i.test(url)) return url;
  return (
    <a href={url} rel="nofollow noopener ugc">
      {url}
    </a>
  );
}

/** Contributions of a year, and the latest activity. */
function ProfileActivitySection({
  activity: { username, days, latest, now },
}: {
  activity: ShownActivity;
}): VNode {
  return (
    <>
      <ContributionCalendar days={days} now={now} />
      <div class="section-head">
        <h2>Recent activity</h2>
        <a class="prose-link" href={`/users/${username}/activity`}>
          View all
        </a>
      </div>
      {latest.length === 0 ? (
        <EmptyState title="No visible activity" />
      ) : (
        <Feed events={latest} namesProjects headings="h3" />
      )}
    </>
  );
}

const DAY_MS = 86_400_000;
const MONDAY = 1;

interface ContributionCalendarProps {
  days: readonly ContributionDay[];
  /** Its day is the last of the calendar. */
  now: Date;
}

/** Contributions of a user in the last twelve months, day by day. */
function ContributionCalendar({ days, now }: ContributionCalendarProps): VNode {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card title="Contributions">
      <HeatMap
        id="contributions"
        title="Contributions in the last twelve months"
        description={`${counted(total, 'contribution')} on ${counted(days.length, 'day')}. The numbers are in the table below.`}
        unit="contribution"
        days={calendarDays(days, now)}
      />
    </Card>
  );
}

/** Every day of the calendar, from the Monday on or before its first one. */
function calendarDays(days: readonly ContributionDay[], now: Date): HeatMapDay[] {
  const counts = new Map(days.map(({ day, count }) => [day, count]));
  const first = firstDay(now);
  const start = first.getTime() - ((first.getUTCDay() - MONDAY + 7) % 7) * DAY_MS;
  const length = Math.floor((now.getTime() - start) / DAY_MS) + 1;
  return Array.from({ length }, (_, at) => {
    const day = new Date(start + at * DAY_MS).toISOString().slice(0, 10);
    return { day, count: counts.get(day) ?? 0 };
  });
}
