import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { Button } from '../../../core/ui/components/button.js';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { Card, EmptyState } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Table } from '../../../core/ui/components/table.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { MemberRow } from '../member.presenter.js';
import { roleOptions, ROLES } from '../roles.js';
import { MemberRowView } from './member-row.js';
import type { MembersPageContext } from './members-page-context.js';

export interface MembersPageProps {
  pageContext: PageContext;
  place: MembersPageContext;
  page: Page<MemberRow>;
  paging: { page: number; perPage: number };
  /** Includes members of the groups above. */
  inherited: boolean;
  search: string;
  errors?: FormProblems | null;
  /** Input of the rejected form for a new member. */
  values?: { username: string; accessLevel: string; expiresAt: string };
}

const COLUMNS = [
  { label: 'Member' },
  { label: 'Role' },
  { label: 'Ends on' },
  { label: 'Since' },
  { label: 'Actions', hidden: true },
];

/** Members of a project or group, and the forms to manage them. */
export function MembersPage(props: MembersPageProps): VNode {
  const { pageContext, place, errors, values } = props;
  return place.frame(
    <>
      {place.mayManage && (
        <AddMemberCard
          pageContext={pageContext}
          place={place}
          errors={errors ?? null}
          values={values}
        />
      )}
      <MemberList {...props} />
    </>,
  );
}

function MemberList({
  pageContext,
  place,
  page,
  paging,
  inherited,
  search,
}: MembersPageProps): VNode {
  const { path } = place;
  const withInherited = `${path}?inherited=true`;
  const tabs = [
    { label: 'Direct', href: path },
    { label: 'With inherited', href: withInherited },
  ];
  return (
    <>
      <Tabs
        label="Members"
        items={tabs}
        current={inherited ? withInherited : path}
        variant="pills"
      />
      <MemberSearch path={path} inherited={inherited} search={search} />
      <Members {...{ pageContext, place, page, inherited, search }} />
      <Pagination
        page={page}
        paging={paging}
        path={path}
        query={{ search, inherited: inherited ? 'true' : null }}
      />
    </>
  );
}

type ListProps = Pick<MembersPageProps, 'pageContext' | 'place' | 'page' | 'inherited' | 'search'>;

function Members({ pageContext, place, page, inherited, search }: ListProps): VNode {
  if (page.items.length === 0) {
    return <EmptyState title={search === '' ? 'No members' : 'No members match your search'} />;
  }
  return (
    <Card flush>
      <Table caption="Members" columns={COLUMNS}>
        {page.items.map((member) => (
          <MemberRowView
            key={member.id}
            member={member}
            place={place}
            pageContext={pageContext}
            fixed={inherited}
          />
        ))}
      </Table>
    </Card>
  );
}

function MemberSearch({
  path,
  inherited,
  search,
}: Pick<MembersPageProps, 'inherited' | 'search'> & { path: string }): VNode {
  return (
    <Form action={path} method="get" label="Find members" class="filters">
      {inherited && <input type="hidden" name="inherited" value="true" />}
      <TextField type="search" name="search" label="Name or username" value={search} bare />
      <Button variant="outline">Search</Button>
    </Form>
  );
}

interface AddMemberProps {
  pageContext: PageContext;
  place: MembersPageContext;
  errors: FormProblems | null;
  values: { username: string; accessLevel: string; expiresAt: string } | undefined;
}

const NOTHING = { username: '', accessLevel: String(ROLES.developer), expiresAt: '' };

/** The form for a new member. */
function AddMemberCard({ pageContext, place, errors, values = NOTHING }: AddMemberProps): VNode {
  return (
    <Card title="Add a member">
      <Form action={place.path} csrfToken={pageContext.csrfToken} label="Add a member">
        <FormErrors errors={errors} />
        <div class="grid gap-4 md:grid-cols-3">
          <TextField
            name="username"
            label="Username or e-mail address"
            value={values.username}
            errors={errors?.fields['username']}
            autocomplete="off"
            required
          />
          <SelectField
            name="access_level"
            label="Role"
            options={roleOptions(place.manager.level)}
            value={values.accessLevel}
            errors={errors?.fields['access_level']}
            required
          />
          <TextField
            type="date"
            name="expires_at"
            label="Ends on"
            value={values.expiresAt}
            errors={errors?.fields['expires_at']}
          />
        </div>
        <FormActions>
          <Button>Add member</Button>
        </FormActions>
      </Form>
    </Card>
  );
}
