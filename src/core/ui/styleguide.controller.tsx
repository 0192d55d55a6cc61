import { Controller, Get } from '@nestjs/common';
import type { VNode } from 'preact';
import { Page } from '../access/access.decorator.js';
import type { HttpResponse } from '../http/http-response.js';
import { atRoot } from '../http/paths.js';
import { Person } from './components/avatar.js';
import { ButtonLink, OverflowMenu } from './components/button.js';
import { CheckboxField, RadioGroup, ScopeFields, SelectField } from './components/choice-fields.js';
import { CodeLines } from './components/code.js';
import { ConfirmButton } from './components/confirm-button.js';
import { Badge, Card, PageHeader } from './components/content.js';
import { Form, FormActions, FormErrors, PostButton } from './components/form.js';
import { Pagination } from './components/list.js';
import type { PageContext } from './page-context.js';
import { Context } from './page-contexts.service.js';
import { Flash } from './page-layout.js';
import { Markdown } from './components/markdown.js';
import { ActionsCell, Cell, Table } from './components/table.js';
import { Tabs } from './components/tabs.js';
import { TextArea, TextField } from './components/text-field.js';
import { Time } from './components/time.js';
import { ChartsAndLists, Filters, Pictures } from './styleguide-sections.js';

/** The components of pages, for administrators. */
@Controller(atRoot('-/styleguide'))
@Page('administrate')
export class StyleguideController {
  /** Shows each component once. */
  @Get()
  show(@Context() pageContext: PageContext): HttpResponse {
    const { csrfToken } = pageContext;
    return pageContext.render(Styleguide({ csrfToken }), { title: 'Style guide', nav: 'admin' });
  }
}

const VISIBILITIES = [
  { value: 'private', label: 'Private', hint: 'Only members.' },
  { value: 'internal', label: 'Internal', hint: 'Any signed-in user.' },
  { value: 'public', label: 'Public', hint: 'Anyone, without signing in.' },
];
const ERRORS = {
  fields: { name: ['Name is missing.'], visibility: ['Visibility has no valid value.'] },
  general: ['The limit of projects is reached.'],
};

const PATH = '/-/styleguide';
const SOURCE = `// Lines have addresses.
function greet(name: string): string {
  return \`Hello, ${'${name}'}\`;
}`;
const TEXT = `Some **Markdown** with [a link](https://example.com), \`code\` and a list:

- [x] Weave
- [ ] Dye

\`\`\`sh
git clone https://example.com/guild/hall.git
\`\`\`
`;

/** Every component once; its forms lead nowhere. */
export function Styleguide({ csrfToken }: { csrfToken: string }): VNode {
  return (
    <>
      <PageHeader
        title="Style guide"
        description="The components of all pages"
        actions={
          <>
            <ButtonLink href={PATH}>New project</ButtonLink>
            <OverflowMenu of="style guide">
              <ButtonLink href={PATH}>Archive project</ButtonLink>
            </OverflowMenu>
          </>
        }
      />
      <Tabs
        label="States"
        items={[
          { label: 'Open', href: `${PATH}?state=open`, count: 17 },
          { label: 'Closed', href: `${PATH}?state=closed`, count: 0 },
        ]}
        current={`${PATH}?state=open`}
      />
      <Filters path={PATH} />
      <Messages />
      <Users csrfToken={csrfToken} />
      <Fields csrfToken={csrfToken} />
      <ChartsAndLists csrfToken={csrfToken} />
      <Texts />
      <Pictures />
    </>
  );
}

function Messages(): VNode {
  return (
    <Flash
      messages={{
        notice: 'Token created.',
        alert: 'The mail server is not responding.',
        secret: { label: 'Your new access token', value: 'svcpat-0123456789abcdef' },
      }}
    />
  );
}

function Users({ csrfToken }: { csrfToken: string }): VNode {
  const columns = [
    { label: 'User' },
    { label: 'State' },
    { label: 'Projects', align: 'end' as const },
    { label: 'Last seen' },
    { label: 'Actions', hidden: true },
  ];
  return (
    <>
      <Table caption="Users" columns={columns}>
        {['Ada Lovelace', 'Grace Hopper', 'root'].map((name, index) => (
          <tr key={name}>
            <th scope="row">
              <Person name={name} href={PATH} detail={`@${name.toLowerCase()}`} />
            </th>
            <Cell>
              <Badge tone={index === 0 ? 'success' : 'warning'}>
                {index ? 'Blocked' : 'Active'}
              </Badge>
            </Cell>
            <Cell align="end">{index * 17}</Cell>
            <Cell>
              <Time value={index === 2 ? null : new Date(0)} />
            </Cell>
            <ActionsCell>
              <PostButton action={PATH} csrfToken={csrfToken} size="small">
                Block
              </PostButton>
            </ActionsCell>
          </tr>
        ))}
      </Table>
      <Pagination
        page={{ hasNext: true, total: 61 }}
        paging={{ page: 2, perPage: 20 }}
        path={PATH}
        query={{ search: 'a b', filter: null }}
      />
      <div>
        <ConfirmButton
          label="Delete user"
          title="Delete Ada Lovelace?"
          question="Everything this user owns is removed. This cannot be undone."
          confirm="Delete Ada Lovelace"
          action={PATH}
          csrfToken={csrfToken}
        />
      </div>
    </>
  );
}

function Fields({ csrfToken }: { csrfToken: string }): VNode {
  return (
    <Card title="New project">
      <Form action={PATH} csrfToken={csrfToken} label="New project">
        <FormErrors errors={ERRORS} focused={false} />
        <TextField name="name" label="Name" errors={ERRORS.fields.name} required maxLength={255} />
        <TextField name="path" label="Path" value="hall" hint="Letters, digits, dots and dashes." />
        <TextField name="password" type="password" label="Password" value="never" required />
        <TextArea name="description" markdown label="Description" value={'\nfirst line is empty'} />
        <SelectField
          name="namespace_id"
          label="Namespace"
          value="2"
          options={[
            { value: '1', label: 'ada' },
            { value: '2', label: 'guild' },
          ]}
        />
        <RadioGroup
          name="visibility"
          label="Visibility"
          options={VISIBILITIES}
          value="internal"
          errors={ERRORS.fields.visibility}
        />
        <CheckboxField
          name="confidential"
          label="Confidential"
          hint="Visible to members only"
          checked
        />
        <ScopeFields
          scopes={['api', 'read_user']}
          values={['api']}
          hint="Select the minimum the application needs."
          errors={undefined}
        />
        <FormActions submit="Create project" cancel={PATH} />
      </Form>
    </Card>
  );
}

function Texts(): VNode {
  return (
    <>
      <Card title="Markdown">
        <Markdown text={TEXT} />
      </Card>
      <Card title="greet.ts" flush>
        <CodeLines text={SOURCE} name="greet.ts" label="greet.ts" />
      </Card>
    </>
  );
}
