import { Controller, Get, Module, Post } from '@nestjs/common';
import { Page } from '../../src/core/access/page.decorator.js';
import { ForbiddenError, ValidationFailedError } from '../../src/core/errors.js';
import type { Answer } from '../../src/core/http/answer.js';
import { atRoot } from '../../src/core/http/root-path.js';
import { NamespacePath } from '../../src/core/params/path-param.js';
import { Form } from '../../src/core/ui/components/form.js';
import { Button } from '../../src/core/ui/components/button.js';
import { LiveRegion } from '../../src/core/ui/components/live-region.js';
import { formErrors } from '../../src/core/ui/form-errors.js';
import { FormInput, given } from '../../src/core/ui/form-input.decorator.js';
import { Shell } from '../../src/core/ui/shell.decorator.js';
import type { PageShell } from '../../src/core/ui/shell.js';
import { EmptyPage, KitchenSink } from './kitchen-sink.js';

const CRUMBS = [{ label: 'Groups', href: '/dashboard/groups' }, { label: 'Probe' }];

/** Pages that show what the shell and its parts make of them. */
@Controller(atRoot('probe-pages'))
@Page('anyone')
class ProbePagesController {
  private ticks = 0;

  @Get()
  sink(@Shell() shell: PageShell): Answer {
    const content = <KitchenSink csrfToken={shell.csrfToken} />;
    return shell.page(content, { title: 'Kitchen sink', nav: 'projects', crumbs: CRUMBS });
  }

  @Get('empty')
  empty(@Shell() shell: PageShell): Answer {
    return shell.page(<EmptyPage />, {
      title: 'Nothing',
      narrow: true,
      noReferrer: true,
      formTargets: ['https://client.example/back?a=1', 'com.example.app:/back; script-src *'],
    });
  }

  @Get('message')
  form(@Shell() shell: PageShell): Answer {
    const content = (
      <Form action="/probe-pages/message" csrfToken={shell.csrfToken}>
        <h1>Message</h1>
        <input name="text" value="<b>done</b>" aria-label="Text" />
        <Button>Send</Button>
      </Form>
    );
    return shell.page(content, { title: 'Message' });
  }

  @Post('message')
  send(@Shell() shell: PageShell, @FormInput() form: Record<string, unknown>): Answer {
    if (given(form, 'text') === '') {
      const problems = formErrors(new ValidationFailedError({ text: ['is missing'] }));
      return shell.page(<pre>{JSON.stringify(problems)}</pre>, { title: 'Message' }, 422);
    }
    const secret = { label: 'Your new token', value: 'svcpat-secret' };
    return shell.redirect('/probe-pages/message', { notice: given(form, 'text'), secret });
  }

  @Get('live')
  live(@Shell() shell: PageShell): Answer {
    return shell.page(this.region(), { title: 'Live', live: true });
  }

  @Get('live/region')
  tick(@Shell() shell: PageShell): Answer {
    this.ticks += 1;
    return shell.fragment(this.region());
  }

  @Get('bug')
  bug(): Answer {
    throw new Error('the secret is 42');
  }

  @Get('forbidden')
  forbidden(): Answer {
    throw new ForbiddenError('<script>alert(1)</script>');
  }

  @Get('of/*full_path/-/here')
  here(@Shell() shell: PageShell, @NamespacePath('full_path') path: string): Answer {
    return shell.page(<h1>{path}</h1>, { title: path });
  }

  private region() {
    return (
      <LiveRegion id="ticks" href="/probe-pages/live/region" seconds={1} label="Ticks">
        <h1>Ticks: {this.ticks}</h1>
      </LiveRegion>
    );
  }
}

@Module({ controllers: [ProbePagesController] })
export class ProbePagesModule {}
