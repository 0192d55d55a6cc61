import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { GroupRow } from '../groups.repository.js';
import { GroupForm, type GroupValues } from './group-form.js';

interface NewGroupPageProps {
  csrfToken: string;
  parent: GroupRow | null;
  values: GroupValues;
  errors: FormProblems | null;
}

/** The form for a new group or subgroup. */
export function NewGroupPage({ csrfToken, parent, values, errors }: NewGroupPageProps): VNode {
  const title = parent === null ? 'New group' : `New subgroup of ${parent.name}`;
  return (
    <>
      <PageHeader
        title={title}
        description="Groups hold projects. Members of a group are members of everything in it."
      />
      <Card>
        <GroupForm
          action="/groups/new"
          csrfToken={csrfToken}
          values={values}
          errors={errors}
          prefix={parent === null ? '' : `${parent.fullPath}/`}
          parentId={parent === null ? '' : String(parent.id)}
        >
          <Button>Create group</Button>
          <ButtonLink
            href={parent === null ? '/dashboard/groups' : `/groups/${parent.fullPath}`}
            variant="ghost"
          >
            Cancel
          </ButtonLink>
        </GroupForm>
      </Card>
    </>
  );
}
