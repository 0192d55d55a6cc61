import type { VNode } from 'preact';
import { EmptyState } from '../../core/ui/components/content.js';
import { ContributionCalendar } from './contribution-calendar.js';
import { Feed } from './feed.js';
import type { ShownActivity } from './profile-activity.service.js';

/** Contributions of a year, and the latest activity. */
export function ProfileActivitySection({
  activity: { username, days, latest, now },
}: {
  activity: ShownActivity;
}): VNode {
  return (
    <>
      <ContributionCalendar days={days} now={now} />
      <div class="flex items-baseline justify-between gap-4">
        <h2 class="text-lg font-semibold">Latest activity</h2>
        <a
          class="text-primary text-sm underline underline-offset-2"
          href={`/users/${username}/activity`}
        >
          All activity
        </a>
      </div>
      {latest.length === 0 ? (
        <EmptyState title="No activity that you may see" />
      ) : (
        <Feed events={latest} namesProjects headings="h3" />
      )}
    </>
  );
}
