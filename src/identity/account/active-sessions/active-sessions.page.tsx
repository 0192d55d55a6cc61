import type { VNode } from 'preact';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge, Card, PageHeader } from '../../../core/ui/components/content.js';
import { PostButton } from '../../../core/ui/components/form.js';
import { Item, ItemList } from '../../../core/ui/components/item-list.js';
import { Time } from '../../../core/ui/components/time.js';
import { AccountSection } from '../../../core/ui/sections/account.js';
import type { ListedSession } from '../../auth/sessions/sessions.repository.js';
import { describeDevice } from './device.js';

export const SESSIONS_PATH = '/-/user_settings/active_sessions';

interface ActiveSessionsPageProps {
  sessions: ListedSession[];
  /** Current session. */
  currentId: number | null;
  csrfToken: string;
}

/** Where someone is signed in, with buttons that end it. */
export function ActiveSessionsPage(props: ActiveSessionsPageProps): VNode {
  const { sessions, currentId, csrfToken } = props;
  const hasOthers = sessions.some(({ id }) => id !== currentId);
  return (
    <AccountSection current="sessions">
      <PageHeader
        title="Sessions"
        description="The browsers in which you are signed in. End those that you do not know, and then change your password."
        actions={
          hasOthers && (
            <ConfirmButton
              label="End all others"
              question="Every other browser has to sign in again."
              confirm="End all other sessions"
              action={`${SESSIONS_PATH}/revoke_others`}
              csrfToken={csrfToken}
            />
          )
        }
      />
      <Card flush>
        <ItemList label="Sessions">
          {sessions.map((session) => (
            <SessionItem
              key={session.id}
              session={session}
              isCurrent={session.id === currentId}
              csrfToken={csrfToken}
            />
          ))}
        </ItemList>
      </Card>
    </AccountSection>
  );
}

interface SessionItemProps {
  session: ListedSession;
  isCurrent: boolean;
  csrfToken: string;
}

function SessionItem({ session, isCurrent, csrfToken }: SessionItemProps): VNode {
  return (
    <Item
      title={
        <>
          <DeviceName userAgent={session.userAgent} />
          {isCurrent && <Badge tone="success">This session</Badge>}
          {session.remembered && <Badge>Remembered</Badge>}
        </>
      }
      actions={
        <PostButton
          action={`${SESSIONS_PATH}/${session.id}/revoke`}
          csrfToken={csrfToken}
          size="small"
        >
          {isCurrent ? 'Sign out' : 'End'}
          <span class="sr-only"> session {session.id}</span>
        </PostButton>
      }
    >
      Last seen <Time value={session.lastSeenAt} />, signed in <Time value={session.signedInAt} />
      {session.ip !== null && ` from ${session.ip}`}
    </Item>
  );
}

function DeviceName({ userAgent }: { userAgent: string }): VNode {
  const { browser, system, isMobile } = describeDevice(userAgent);
  const place = system === null ? '' : ` on ${system}`;
  return (
    <span>
      {browser ?? 'Unknown browser'}
      {place}
      {isMobile && <span class="text-muted-foreground font-normal"> (mobile)</span>}
    </span>
  );
}
