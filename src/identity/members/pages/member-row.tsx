import type { VNode } from 'preact';
import { Avatar } from '../../../core/ui/components/avatar.js';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { ActionsCell, Cell } from '../../../core/ui/components/table.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { Time } from '../../../core/ui/components/time.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { MemberRow } from '../member.presenter.js';
import { roleName, roleOptions } from '../roles.js';
import type { MembersPageContext } from './members-page-context.js';

interface MemberRowProps {
  member: MemberRow;
  place: MembersPageContext;
  pageContext: PageContext;
  /** The membership can be one of a group above: it is changed there. */
  fixed: boolean;
}

/** One member with what the viewer can do about the membership. */
export function MemberRowView({ fixed, ...props }: MemberRowProps): VNode {
  const { member } = props;
  return (
    <tr>
      <Cell>
        <div class="flex items-center gap-3">
          <Avatar name={member.name} owner={member} />
          <div class="min-w-0">
            <a href={`/${member.username}`}>{member.name}</a>
            <div class="text-muted-foreground">{`@${member.username}`}</div>
          </div>
        </div>
      </Cell>
      <Cell>{roleName(member.accessLevel)}</Cell>
      <Cell>
        <Time value={member.expiresAt} />
      </Cell>
      <Cell>
        <Time value={member.createdAt} />
      </Cell>
      <ActionsCell>{!fixed && <MemberActions {...props} />}</ActionsCell>
    </tr>
  );
}

function MemberActions(props: Omit<MemberRowProps, 'fixed'>): VNode {
  const { member, place, pageContext } = props;
  const isOwn = pageContext.viewer?.id === member.id;
  const mayChange = place.mayManage && member.accessLevel <= place.manager.level;
  return (
    <>
      {mayChange && <ChangeButton {...props} />}
      {(mayChange || isOwn) && <RemoveButton {...props} isOwn={isOwn} />}
    </>
  );
}

function ChangeButton({ member, place, pageContext }: Omit<MemberRowProps, 'fixed'>): VNode {
  return (
    <ConfirmButton
      label="Change"
      question={`Role of ${member.name}, and the day on which the membership ends.`}
      confirm="Save"
      action={`${place.path}/${member.id}`}
      csrfToken={pageContext.csrfToken}
      variant="outline"
      size="small"
    >
      <SelectField
        name="access_level"
        id={`role-of-${member.id}`}
        label="Role"
        options={roleOptions(place.manager.level)}
        value={String(member.accessLevel)}
        required
      />
      <TextField
        type="date"
        name="expires_at"
        id={`end-of-${member.id}`}
        label="Ends on"
        value={member.expiresAt}
      />
    </ConfirmButton>
  );
}

function RemoveButton({
  member,
  place,
  pageContext,
  isOwn,
}: Omit<MemberRowProps, 'fixed'> & { isOwn: boolean }): VNode {
  const { kind } = place.source;
  return (
    <ConfirmButton
      label={isOwn ? 'Leave' : 'Remove'}
      question={
        isOwn
          ? `You lose what this membership of the ${kind} lets you do.`
          : `${member.name} loses what this membership of the ${kind} lets them do.`
      }
      confirm={isOwn ? `Leave ${kind}` : 'Remove member'}
      action={`${place.path}/${member.id}/remove`}
      csrfToken={pageContext.csrfToken}
      size="small"
    />
  );
}
