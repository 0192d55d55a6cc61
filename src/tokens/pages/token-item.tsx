import type { VNode } from 'preact';
import { ConfirmButton } from '../../core/ui/components/confirm-button.js';
import { Badge } from '../../core/ui/components/content.js';
import { Item } from '../../core/ui/components/item-list.js';
import { TextField } from '../../core/ui/components/text-field.js';
import { Time } from '../../core/ui/components/time.js';
import type { PresentedToken } from '../token.presenter.js';

interface TokenItemProps {
  token: PresentedToken;
  /** Of the list; the token's actions are posted below it. */
  path: string;
  csrfToken: string;
}

/** A token in a list; one that works can be rotated and revoked. */
export function TokenItem(props: TokenItemProps): VNode {
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

function LastUse({ token }: { token: PresentedToken }): VNode {
  const [address] = token.last_used_ips;
  if (token.last_used_at === null) return <>Never used</>;
  return (
    <>
      Last used <Time value={token.last_used_at} />
      {address !== undefined && ` from ${address}`}
    </>
  );
}

function End({ token }: { token: PresentedToken }): VNode {
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
