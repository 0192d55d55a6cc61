import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge, Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Item, ItemList, Pagination } from '../../../core/ui/components/list.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { Time } from '../../../core/ui/components/time.js';
import type { TokenResponse } from '../token.presenter.js';
import { FeedTokenCard } from './feed-token-pages.controller.js';

export const TOKENS_PATH = '/-/user_settings/personal_access_tokens';

interface PersonalTokensPageProps {
  state: 'active' | 'inactive';
  tokens: Page<TokenResponse>;
  paging: { page: number; perPage: number };
  csrfToken: string;
  /** null without one. */
  feedToken: string | null;
}

const TABS = [
  { label: 'Active', href: TOKENS_PATH },
  { label: 'Inactive', href: `${TOKENS_PATH}?state=inactive` },
];

/** The user's personal access tokens of one state. */
export function PersonalTokensPage(props: PersonalTokensPageProps): VNode {
  const { state, tokens, paging, csrfToken, feedToken } = props;
  const isActive = state === 'active';
  const path = TOKENS_PATH;
  return (
    <>
      <PageHeader
        title="Access tokens"
        description="Tokens authenticate you to the API and Git. Treat them like passwords."
        actions={<ButtonLink href={`${TOKENS_PATH}/new`}>New token</ButtonLink>}
      />
      <Tabs label="Tokens" items={TABS} current={isActive ? path : `${path}?state=inactive`} />
      {tokens.items.length === 0 ? (
        <NoTokens isActive={isActive} />
      ) : (
        <TokenList tokens={tokens.items} path={path} csrfToken={csrfToken} canRotate />
      )}
      <Pagination
        page={tokens}
        paging={paging}
        path={path}
        query={{ state: isActive ? null : state }}
      />
      <FeedTokenCard token={feedToken} csrfToken={csrfToken} />
    </>
  );
}

interface TokenListProps {
  tokens: readonly TokenResponse[];
  /** Address of the list; actions of a token are posted below it. */
  path: string;
  csrfToken: string;
  /** Active tokens can be rotated as well as revoked. */
  canRotate?: boolean;
  /** Names the roles of bots. */
  roleName?: (accessLevel: number) => string;
}

/** Tokens of one user, or of the bots of a project or group. */
export function TokenList({ tokens, ...props }: TokenListProps): VNode {
  return (
    <Card flush>
      <ItemList label="Tokens">
        {tokens.map((token) => (
          <TokenItem key={token.id} token={token} {...props} />
        ))}
      </ItemList>
    </Card>
  );
}

function NoTokens({ isActive }: { isActive: boolean }): VNode {
  if (!isActive) {
    return (
      <EmptyState title="No inactive tokens">Expired and revoked tokens appear here.</EmptyState>
    );
  }
  return (
    <EmptyState
      title="No active tokens"
      action={
        <ButtonLink href={`${TOKENS_PATH}/new`} variant="outline">
          New token
        </ButtonLink>
      }
    >
      Use one token per application with the minimum scopes.
    </EmptyState>
  );
}

interface TokenItemProps extends Omit<TokenListProps, 'tokens'> {
  token: TokenResponse;
}

/** A token in a list; an active one can be revoked. */
function TokenItem(props: TokenItemProps): VNode {
  const { token, roleName } = props;
  const { access_level: level } = token;
  const title = (
    <>
      <span class="min-w-0">{token.name}</span>
      {token.scopes.map((scope) => (
        <Badge key={scope}>{scope}</Badge>
      ))}
      {token.revoked && <Badge tone="danger">Revoked</Badge>}
      {!token.active && !token.revoked && <Badge tone="warning">Expired</Badge>}
    </>
  );
  return (
    <Item title={title} actions={token.active ? <Actions {...props} /> : undefined}>
      {token.description !== null && <p class="text-foreground">{token.description}</p>}
      <p>
        {level !== undefined && roleName !== undefined && `${roleName(level)} · `}
        Created <Time value={token.created_at} /> · <LastUse token={token} /> ·{' '}
        <End token={token} />
      </p>
    </Item>
  );
}

function LastUse({ token }: { token: TokenResponse }): VNode {
  const [address] = token.last_used_ips;
  if (token.last_used_at === null) return <>Never used</>;
  return (
    <>
      Last used <Time value={token.last_used_at} />
      {address !== undefined && ` from ${address}`}
    </>
  );
}

function End({ token }: { token: TokenResponse }): VNode {
  if (token.expires_at === null) return <>Never expires</>;
  return (
    <>
      {token.active ? 'Expires' : 'Expired'} <Time value={token.expires_at} />
    </>
  );
}

function Actions({ token, path, csrfToken, canRotate = false }: TokenItemProps): VNode {
  const about = { csrfToken, size: 'small' as const };
  return (
    <>
      {canRotate && (
        <ConfirmButton
          label="Rotate"
          title={`Rotate token “${token.name}”?`}
          question={`Creates a new token with the same name and scopes. “${token.name}” stops working immediately.`}
          confirm="Rotate token"
          action={`${path}/${token.id}/rotate`}
          variant="outline"
          {...about}
        >
          <TextField
            name="expires_at"
            id={`expires-at-${token.id}`}
            label="Expiry date"
            type="date"
            hint="Defaults to one week."
          />
        </ConfirmButton>
      )}
      <ConfirmButton
        label="Revoke"
        title={`Revoke token “${token.name}”?`}
        question={`Applications using “${token.name}” will lose access immediately.`}
        confirm="Revoke token"
        action={`${path}/${token.id}/revoke`}
        {...about}
      />
    </>
  );
}
