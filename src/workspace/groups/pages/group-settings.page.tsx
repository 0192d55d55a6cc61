import type { VNode } from 'preact';
import { AvatarCard } from '../../../core/ui/components/avatar-card.js';
import { Button } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card } from '../../../core/ui/components/content.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { GroupRow } from '../groups.repository.js';
import { GroupForm, type GroupValues } from './group-form.js';
import { GroupFrame } from './group-frame.js';

interface GroupSettingsProps {
  pageContext: PageContext;
  group: GroupRow;
  values: GroupValues;
  errors: FormProblems | null;
  avatarErrors?: FormProblems;
}

/** Changing and deleting a group. */
export function GroupSettingsPage(props: GroupSettingsProps): VNode {
  const { pageContext, group, values, errors, avatarErrors } = props;
  const { csrfToken, viewer } = pageContext;
  const base = `/groups/${group.fullPath}`;
  const prefix = group.fullPath.slice(0, -group.path.length);
  return (
    <GroupFrame group={group} viewer={viewer} current="settings">
      <Card title="General">
        <GroupForm
          action={`${base}/-/edit`}
          csrfToken={csrfToken}
          values={values}
          errors={errors}
          prefix={prefix}
          parentId=""
        >
          <Button>Save changes</Button>
        </GroupForm>
      </Card>
      <AvatarCard
        action={`${base}/-/avatar`}
        csrfToken={csrfToken}
        kind="group"
        owner={group}
        errors={avatarErrors?.fields['avatar']}
      />
      <Card title="Delete group">
        <p>All subgroups, projects, repositories and snippets in it are deleted, too.</p>
        <ConfirmButton
          label="Delete group"
          question={`${group.fullPath} and everything in it will be gone for good.`}
          confirm={`Delete ${group.path}`}
          action={`${base}/-/delete`}
          csrfToken={csrfToken}
        />
      </Card>
    </GroupFrame>
  );
}
