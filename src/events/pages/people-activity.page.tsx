import type { VNode } from 'preact';
import type { Viewer } from '../../core/access/viewer.js';
import { ButtonLink } from '../../core/ui/components/button.js';
import { PageHeader } from '../../core/ui/components/content.js';
import type { UserDetails } from '../../identity/users/user.presenter.js';
import { FeedList, type ShownFeed } from './feed-list.js';

/** Activity of a user. */
export function UserActivityPage({ user, feed }: { user: UserDetails; feed: ShownFeed }): VNode {
  return (
    <>
      <PageHeader title="Activity" description={`What ${user.name} did where you may see it.`} />
      <FeedList feed={feed} namesProjects hint="There is nothing here that you may see." />
    </>
  );
}

/** Activity of the projects that the viewer is a member of. */
export function DashboardActivityPage({
  viewer,
  feed,
}: {
  viewer: Viewer;
  feed: ShownFeed;
}): VNode {
  const own = (
    <ButtonLink href={`/users/${viewer.username}/activity`} variant="outline">
      Your own activity
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Activity"
        description="What happened in the projects that you are a member of."
        actions={own}
      />
      <FeedList
        feed={feed}
        namesProjects
        hint="Join a project, or create one: what happens there will be listed here."
      />
    </>
  );
}
