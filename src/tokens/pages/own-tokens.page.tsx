import type { VNode } from 'preact';
import type { Page } from '../../core/pagination/page.js';
import { ButtonLink } from '../../core/ui/components/button.js';
import { Card, EmptyState, PageHeader } from '../../core/ui/components/content.js';
import { ItemList } from '../../core/ui/components/item-list.js';
import { Pagination } from '../../core/ui/components/pagination.js';
import { Tabs } from '../../core/ui/components/tabs.js';
import { AccountSection } from '../../core/ui/sections/account.js';
import type { PresentedToken } from '../token.presenter.js';
import { TokenItem } from './token-item.js';

export const TOKENS_PATH = '/-/user_settings/personal_access_tokens';

interface OwnTokensPageProps {
  state: 'active' | 'inactive';
  tokens: Page<PresentedToken>;
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
        description="Programs use them to act as you over the API and Git. Whoever knows one can do what its scopes allow."
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
