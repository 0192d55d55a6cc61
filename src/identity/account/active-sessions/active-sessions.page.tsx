import type { VNode } from 'preact';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge, Card, PageHeader } from '../../../core/ui/components/content.js';
import { PostButton } from '../../../core/ui/components/form.js';
import { Icon } from '../../../core/ui/components/icon.js';
import { Item, ItemList } from '../../../core/ui/components/item-list.js';
import { Time } from '../../../core/ui/components/time.js';
import type { ListedSession } from '../../auth/sessions/sessions.repository.js';
import { describeDevice } from './device.js';

export const SESSIONS_PATH = '/-/user_settings/active_sessions';

interface ActiveSessionsPageProps {
  sessions: ListedSession[];
  /** Current session. */
  currentId: number | null;
  csrfToken: string;
}

/** Active sessions of the user, with buttons to sign out. */
export function ActiveSessionsPage(props: ActiveSessionsPageProps): VNode {
  const { sessions, currentId, csrfToken } = props;
  const hasOthers = sessions.some(({ id }) => id !== currentId);
  return (
    <>
      <PageHeader
        title="Sessions"
        description="Devices signed in to your account. Sign out any you don't recognize and change your password."
        actions={
          hasOthers && (
            <ConfirmButton
              label="Sign out all other sessions"
              title="Sign out all other sessions?"
              question="All other devices must sign in again."
              confirm="Sign out other sessions"
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
    </>
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
          Sign out
          <span class="sr-only"> of session {session.id}</span>
        </PostButton>
      }
    >
      {session.ip !== null && `${session.ip} · `}
      Last active <Time value={session.lastSeenAt} /> · Signed in{' '}
      <Time value={session.signedInAt} />
    </Item>
  );
}

function DeviceName({ userAgent }: { userAgent: string }): VNode {
  const { browser, system, isMobile } = describeDevice(userAgent);
  const onSystem = system === null ? '' : ` on ${system}`;
  return (
    <span class="inline-flex items-center gap-2">
      <Icon name={isMobile ? 'monitor-smartphone' : 'monitor'} />
      {browser ?? 'Unknown browser'}
      {onSystem}
    </span>
  );
}
