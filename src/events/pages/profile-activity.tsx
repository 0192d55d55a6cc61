import type { VNode } from 'preact';
import { EmptyState, Card } from '../../core/ui/components/content.js';
import { Feed } from './feed.js';
import type { ShownActivity } from './profile-activity.service.js';
import { counted } from '../../core/ui/amounts.js';
import { HeatMap, type HeatMapDay } from '../../core/ui/components/heat-map.js';
import { firstDay, type ContributionDay } from '../visible-events.repository.js';

/** Contributions of a year, and the latest activity. */
export function ProfileActivitySection({
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
