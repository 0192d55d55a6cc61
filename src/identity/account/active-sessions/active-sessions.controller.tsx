import { Controller, Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { VNode } from 'preact';
import { Page } from '../../../core/access/access.decorator.js';
import { Auth, type SignedInContext } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { IntegerId } from '../../../core/params/ids.js';
import { ReadsPrimary } from '../../../core/sql/replica/request-reads.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge, Card, PageHeader } from '../../../core/ui/components/content.js';
import { PostButton } from '../../../core/ui/components/form.js';
import { Icon } from '../../../core/ui/components/icon.js';
import { Item, ItemList } from '../../../core/ui/components/list.js';
import { Time } from '../../../core/ui/components/time.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import type { ListedSession } from '../../auth/sessions/sessions.repository.js';
import { BrowserSessions, Sessions } from '../../auth/sessions/sessions.service.js';
import { describeDevice } from './device.js';

/** The page of one's own sessions. */
@ReadsPrimary()
@Controller(atRoot('-/user_settings/active_sessions'))
@Page('signed_in')
export class ActiveSessionsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly browsers: BrowserSessions,
  ) {}

  /** Shows where the user is signed in. */
  @Get()
  async list(
    @Context() pageContext: PageContext,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    const page = ActiveSessionsPage({
      sessions: await this.sessions.list(auth.viewer.id),
      currentId: auth.session?.id ?? null,
      csrfToken: pageContext.csrfToken,
    });
    return pageContext.render(page, { title: 'Sessions', nav: 'account' });
  }

  /** Ends all sessions except the current one. */
  @Post('revoke_others')
  async revokeOthers(
    @Context() pageContext: PageContext,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    const count = await this.sessions.endOthers(auth);
    const notice = count === 1 ? 'Signed out 1 session.' : `Signed out ${count} sessions.`;
    return pageContext.redirect(SESSIONS_PATH, { notice });
  }

  /** Ends a session; ending the current one signs the user out. */
  @Post(':id/revoke')
  async revoke(
    @IntegerId('id') id: number,
    @Context() pageContext: PageContext,
    @Auth() auth: SignedInContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HttpResponse> {
    await this.sessions.end(id, auth);
    if (id !== auth.session?.id) {
      return pageContext.redirect(SESSIONS_PATH, { notice: 'Signed out the session.' });
    }
    this.browsers.leave(response);
    return pageContext.redirect('/users/sign_in');
  }
}

const SESSIONS_PATH = '/-/user_settings/active_sessions';

interface ActiveSessionsPageProps {
  sessions: ListedSession[];
  /** Current session. */
  currentId: number | null;
  csrfToken: string;
}

/** Active sessions of the user, with buttons to sign out. */
function ActiveSessionsPage(props: ActiveSessionsPageProps): VNode {
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
