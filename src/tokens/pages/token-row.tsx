import type { VNode } from 'preact';
import { ConfirmButton } from '../../core/ui/components/confirm-button.js';
import { Badge } from '../../core/ui/components/content.js';
import { ActionsCell, Cell } from '../../core/ui/components/table.js';
import { TextField } from '../../core/ui/components/text-field.js';
import { Time } from '../../core/ui/components/time.js';
import type { PresentedToken } from '../token.presenter.js';

interface TokenRowProps {
  token: PresentedToken;
  /** Of the list; the token's actions are posted below it. */
  path: string;
  csrfToken: string;
}

/** A token in a list; one that works can be rotated and revoked. */
export function TokenRow({ token, path, csrfToken }: TokenRowProps): VNode {
  return (
    <tr>
      <Cell wrap>
        <span class="font-medium">{token.name}</span>
        {token.description !== null && (
          <span class="text-muted-foreground block">{token.description}</span>
        )}
      </Cell>
      <Cell wrap>{token.scopes.join(', ')}</Cell>
      <Cell>
        <Time value={token.created_at} />
      </Cell>
      <Cell wrap>
        <LastUse token={token} />
      </Cell>
      <Cell>
        <End token={token} />
      </Cell>
      {token.active && <Actions token={token} path={path} csrfToken={csrfToken} />}
    </tr>
  );
}

function LastUse({ token }: { token: PresentedToken }): VNode {
  const [address] = token.last_used_ips;
  return (
    <>
      <Time value={token.last_used_at} />
      {address !== undefined && <span class="text-muted-foreground block">from {address}</span>}
    </>
  );
}

function End({ token }: { token: PresentedToken }): VNode {
  if (token.revoked) return <Badge tone="danger">Revoked</Badge>;
  return (
    <>
      <Time value={token.expires_at} />
      {!token.active && (
        <>
          {' '}
          <Badge>Expired</Badge>
        </>
      )}
    </>
  );
}

function Actions({ token, path, csrfToken }: TokenRowProps): VNode {
  const about = { csrfToken, size: 'small' as const };
  return (
    <ActionsCell>
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
    </ActionsCell>
  );
}
