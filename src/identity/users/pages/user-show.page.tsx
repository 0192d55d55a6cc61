import type { VNode } from 'preact';
import { ButtonLink, OverflowMenu } from '../../../core/ui/components/button.js';
import { CheckboxField } from '../../../core/ui/components/choice-fields.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card, DescriptionList, PageHeader } from '../../../core/ui/components/content.js';
import { PostButton } from '../../../core/ui/components/form.js';
import { Time } from '../../../core/ui/components/time.js';
import type { UserAction } from '../user-state.service.js';
import type { UserDetails } from '../user.presenter.js';
import type { UserInsight } from '../users.repository.js';
import { UserBadges } from './user-list.page.js';

/** Button for a change of a user's state. */
interface UserActionButton {
  action: UserAction;
  label: string;
  /** Confirmation question; null = no confirmation. */
  question: string | null;
  /** Told when it is done. */
  done: string;
}

const ENDS = 'Sessions, tokens and Git access stop working immediately.';

const BUTTONS: Record<UserAction, Omit<UserActionButton, 'action'>> = {
  approve: { label: 'Approve', question: null, done: 'User approved.' },
  block: { label: 'Block', question: ENDS, done: 'User blocked.' },
  unblock: { label: 'Unblock', question: null, done: 'User unblocked.' },
  deactivate: {
    label: 'Deactivate',
    question: 'Only users inactive for 90 days can be deactivated.',
    done: 'User deactivated.',
  },
  activate: { label: 'Activate', question: null, done: 'User activated.' },
  ban: { label: 'Ban', question: ENDS, done: 'User banned.' },
  unban: { label: 'Lift ban', question: null, done: 'Ban lifted.' },
};

/** Returns true if the word is a user action. */
export function isUserAction(word: string): word is UserAction {
  return Object.hasOwn(BUTTONS, word);
}

/** The button of a change of state. */
export function buttonOf(action: UserAction): UserActionButton {
  return { action, ...BUTTONS[action] };
}

/** Returns the actions on a user; administrators cannot lock themselves out. */
function actionsFor(
  user: Pick<UserDetails, 'id' | 'state' | 'userType'>,
  viewerId: number | undefined,
): UserActionButton[] {
  if (user.userType === 'internal' || user.id === viewerId) return [];
  const names: Record<UserDetails['state'], UserAction[]> = {
    active: ['block', 'deactivate', 'ban'],
    pending: ['approve'],
    blocked: ['unblock'],
    banned: ['unban'],
    deactivated: ['activate', 'block'],
  };
  return names[user.state].map(buttonOf);
}

interface UserShowPageProps {
  csrfToken: string;
  /** The administrator who looks. */
  viewerId: number | undefined;
  user: UserDetails;
  insight: UserInsight;
}

/** Everything about one user, and what can be done to the account. */
export function UserShowPage({ csrfToken, viewerId, user, insight }: UserShowPageProps): VNode {
  const path = `/admin/users/${user.id}`;
  return (
    <>
      <PageHeader
        title={user.name}
        description={`@${user.username}`}
        actions={
          <>
            <ButtonLink href={`${path}/edit`} variant="outline">
              Edit
            </ButtonLink>
            <Actions path={path} csrfToken={csrfToken} viewerId={viewerId} user={user} />
          </>
        }
      />
      <div class="grid grid-cols-1 items-start gap-2.5 lg:grid-cols-2">
        <Card title="Account">
          <DescriptionList items={accountOf(user, insight)} />
        </Card>
        <Card title="Sign-in">
          <DescriptionList items={signInOf(user, insight)} />
          {insight.failedAttempts > 0 && (
            <div>
              <PostButton action={`${path}/unlock`} csrfToken={csrfToken}>
                {insight.lockedAt === null ? 'Reset failed attempts' : 'Unlock'}
              </PostButton>
            </div>
          )}
        </Card>
      </div>
      {user.note !== null && user.note !== '' && (
        <Card title="Note">
          <p class="whitespace-pre-wrap break-words">{user.note}</p>
        </Card>
      )}
    </>
  );
}

function accountOf(user: UserDetails, insight: UserInsight) {
  return [
    { label: 'State', value: <UserBadges user={user} /> },
    { label: 'ID', value: user.id },
    { label: 'Email', value: user.email },
    { label: 'Confirmed', value: <Time value={user.confirmedAt} none="Not confirmed" /> },
    { label: 'Created', value: <Time value={user.createdAt} /> },
    { label: 'Updated', value: <Time value={user.updatedAt} /> },
    { label: 'Can create top-level groups', value: user.canCreateGroup ? 'Yes' : 'No' },
    {
      label: 'Personal projects',
      value: `${insight.ownProjects} (limit ${user.projectsLimit.toLocaleString('en')})`,
    },
    { label: 'Memberships', value: insight.memberships },
    { label: 'Access tokens', value: insight.tokens },
    {
      label: 'Audit log',
      value: <a href={`/admin/audit_logs?entity_type=User&entity_id=${user.id}`}>View audit log</a>,
    },
  ];
}

function signInOf(user: UserDetails, insight: UserInsight) {
  return [
    { label: 'Last activity', value: <Time value={user.lastActivityOn} /> },
    { label: 'Latest sign-in', value: signIn(user.currentSignInAt, insight.currentSignInIp) },
    { label: 'Previous sign-in', value: signIn(user.lastSignInAt, insight.lastSignInIp) },
    { label: 'Sign-ins', value: insight.signInCount },
    { label: 'Failed attempts', value: insight.failedAttempts },
    { label: 'Locked since', value: <Time value={insight.lockedAt} none="Not locked" /> },
  ];
}

function signIn(at: Date | null, ip: string | null): VNode {
  return (
    <>
      <Time value={at} />
      {ip !== null && ` from ${ip}`}
    </>
  );
}

interface ActionsProps extends Pick<UserShowPageProps, 'csrfToken' | 'viewerId' | 'user'> {
  path: string;
}

/** Changes without a question have buttons; the others are in the menu. */
function Actions({ path, csrfToken, viewerId, user }: ActionsProps): VNode | null {
  if (user.userType === 'internal') return null;
  const { name } = user;
  const steps = actionsFor(user, viewerId);
  const shown = steps.filter(({ question }) => question === null);
  const asked = steps.filter(({ question }) => question !== null);
  return (
    <>
      {shown.map((button) => (
        <StateButton key={button.action} {...{ path, csrfToken, name, button }} />
      ))}
      <OverflowMenu of={`@${user.username}`}>
        <ButtonLink href={`${path}/impersonation_tokens`} variant="outline">
          Impersonation tokens
        </ButtonLink>
        {asked.map((button) => (
          <StateButton key={button.action} {...{ path, csrfToken, name, button }} />
        ))}
        {user.state === 'pending' && (
          <ConfirmButton
            label="Reject"
            title={`Reject ${name}?`}
            question="The account is deleted."
            confirm="Reject user"
            action={`${path}/reject`}
            csrfToken={csrfToken}
          />
        )}
        <ConfirmButton
          label="Delete"
          title={`Delete ${name}?`}
          question="The user's own projects are deleted with their repositories; issues, merge requests, comments and snippets stay, written by the ghost user. This cannot be undone."
          confirm="Delete user"
          action={`${path}/delete`}
          csrfToken={csrfToken}
        >
          <CheckboxField
            label="Delete contributions"
            name="hard_delete"
            hint="Also deletes groups without another owner"
          />
        </ConfirmButton>
      </OverflowMenu>
    </>
  );
}

interface StateButtonProps {
  path: string;
  csrfToken: string;
  /** Of the user. */
  name: string;
  button: UserActionButton;
}

function StateButton({ path, csrfToken, name, button }: StateButtonProps): VNode {
  const { action, label, question } = button;
  const target = `${path}/${action}`;
  if (question === null) {
    return (
      <PostButton action={target} csrfToken={csrfToken}>
        {label}
      </PostButton>
    );
  }
  return (
    <ConfirmButton
      label={label}
      title={`${label} ${name}?`}
      question={question}
      confirm={`${label} user`}
      action={target}
      csrfToken={csrfToken}
      variant="outline"
    />
  );
}
