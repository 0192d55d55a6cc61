import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge, Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Item, ItemList } from '../../../core/ui/components/item-list.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { Time } from '../../../core/ui/components/time.js';
import { AccountSection } from '../../../core/ui/sections/account.js';
import type { TokenResponse } from '../token.presenter.js';

export const TOKENS_PATH = '/-/user_settings/personal_access_tokens';

interface OwnTokensPageProps {
  state: 'active' | 'inactive';
  tokens: Page<TokenResponse>;
  paging: { page: number; perPage: number };
  csrfToken: string;
}

const TABS = [
  { label: 'Active', href: TOKENS_PATH },
  { label: 'Inactive', href: `${TOKENS_PATH}?state=inactive` },
];

/** The user's personal access tokens of one state. */
export function OwnTokensPage({ state, tokens, paging, csrfToken }: OwnTokensPageProps): VNode {
  const isActive = state === 'active';
  const path = TOKENS_PATH;
  return (
    <AccountSection current="tokens">
      <PageHeader
        title="Access tokens"
        description="Programs use them to act as you over the API and Git. Anyone who has one can do what its scopes allow."
        actions={<ButtonLink href={`${TOKENS_PATH}/new`}>New token</ButtonLink>}
      />
      <Tabs label="Tokens" items={TABS} current={isActive ? path : `${path}?state=inactive`} />
      {tokens.items.length === 0 ? (
        <NoTokens isActive={isActive} />
      ) : (
        <Card flush>
          <ItemList label={isActive ? 'Active tokens' : 'Inactive tokens'}>
            {tokens.items.map((token) => (
              <TokenItem key={token.id} token={token} path={path} csrfToken={csrfToken} />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination
        page={tokens}
        paging={paging}
        path={path}
        query={{ state: isActive ? null : state }}
      />
    </AccountSection>
  );
}

function NoTokens({ isActive }: { isActive: boolean }): VNode {
  if (!isActive) {
    return <EmptyState title="No inactive tokens">Expired and revoked ones are here.</EmptyState>;
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
      Make one for each program, with no more scopes than it needs.
    </EmptyState>
  );
}

interface TokenItemProps {
  token: TokenResponse;
  /** Of the list; the token's actions are posted below it. */
  path: string;
  csrfToken: string;
}

/** A token in a list; one that works can be rotated and revoked. */
function TokenItem(props: TokenItemProps): VNode {
  const { token } = props;
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
      {token.active ? 'Expires' : 'Expiry'} <Time value={token.expires_at} />
    </>
  );
}

function Actions({ token, path, csrfToken }: TokenItemProps): VNode {
  const about = { csrfToken, size: 'small' as const };
  return (
    <>
      <ConfirmButton
        label="Rotate"
        question={`A new token takes the place of “${token.name}”, which stops working at once.`}
        confirm="Rotate token"
        action={`${path}/${token.id}/rotate`}
        variant="outline"
        {...about}
      >
        <TextField
          name="expires_at"
          id={`expires-at-${token.id}`}
          label="New expiry date"
          type="date"
          hint="In a week unless you choose a day."
        />
      </ConfirmButton>
      <ConfirmButton
        label="Revoke"
        question={`“${token.name}” stops working at once, for good.`}
        confirm="Revoke token"
        action={`${path}/${token.id}/revoke`}
        {...about}
      />
    </>
  );
}
