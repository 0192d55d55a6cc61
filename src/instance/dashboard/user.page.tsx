import type { VNode } from 'preact';
import type { Viewer } from '../../core/access/auth-context.js';
import type { Page } from '../../core/pagination/page.js';
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
import { Pagination } from '../../core/ui/components/list.js';
import { Time } from '../../core/ui/components/time.js';
import type { ShownActivity } from '../../events/pages/profile-activity.service.js';
import { ProfileActivitySection } from '../../events/pages/profile-activity.js';
import type { UserResponse } from '../../identity/users/user.presenter.js';
import { ProjectTable } from '../../workspace/projects/pages/project-lists.js';
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
