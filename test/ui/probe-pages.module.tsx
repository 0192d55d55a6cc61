import type { VNode } from 'preact';
import { Controller, Get, Module, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Page } from '../../src/core/access/access.decorator.js';
import { ForbiddenError, ValidationFailedError } from '../../src/core/errors.js';
import type { HttpResponse } from '../../src/core/http/http-response.js';
import { atRoot } from '../../src/core/http/paths.js';
import { pathParam } from '../../src/core/params/ids.js';
import { Form } from '../../src/core/ui/components/form.js';
import { LiveRegion } from '../../src/core/ui/components/live-region.js';
import { formErrors, FormInput, given } from '../../src/core/ui/forms.js';
import type { PageContext } from '../../src/core/ui/page-context.js';
import { Button, ButtonLink } from '../../src/core/ui/components/button.js';
import { EmptyState, PageHeader } from '../../src/core/ui/components/content.js';
import { Context } from '../../src/core/ui/page-contexts.service.js';
import { Styleguide } from '../../src/core/ui/styleguide.controller.js';

const CRUMBS = [{ label: 'Groups', href: '/dashboard/groups' }, { label: 'Probe' }];

/** Pages that show what the pageContext and its parts make of them. */
@Controller(atRoot('probe-pages'))
@Page('anyone')
class ProbePagesController {
  private ticks = 0;

  @Get()
  sink(@Context() pageContext: PageContext): HttpResponse {
    const content = <Styleguide csrfToken={pageContext.csrfToken} />;
    return pageContext.render(content, { title: 'Kitchen sink', nav: 'projects', crumbs: CRUMBS });
  }

  @Get('empty')
  empty(@Context() pageContext: PageContext): HttpResponse {
    return pageContext.render(<EmptyPage />, {
      title: 'Nothing',
      narrow: true,
      noReferrer: true,
      formTargets: ['https://client.example/back?a=1', 'com.example.app:/back; script-src *'],
    });
  }

  @Get('message')
  form(@Context() pageContext: PageContext): HttpResponse {
    const content = (
      <Form action="/probe-pages/message" csrfToken={pageContext.csrfToken}>
        <h1>Message</h1>
        <input name="text" value="<b>done</b>" aria-label="Text" />
        <Button>Send</Button>
      </Form>
    );
    return pageContext.render(content, { title: 'Message' });
  }

  @Post('message')
  send(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
  ): HttpResponse {
    if (given(form, 'text') === '') {
      const problems = formErrors(new ValidationFailedError({ text: ['is missing'] }));
      return pageContext.render(<pre>{JSON.stringify(problems)}</pre>, { title: 'Message' }, 422);
    }
    const secret = { label: 'Your new token', value: 'svcpat-secret' };
    return pageContext.redirect('/probe-pages/message', { notice: given(form, 'text'), secret });
  }

  @Get('live')
  live(@Context() pageContext: PageContext): HttpResponse {
    return pageContext.render(this.region(), { title: 'Live' });
  }

  @Get('live/region')
  tick(@Context() pageContext: PageContext): HttpResponse {
    this.ticks += 1;
    return pageContext.fragment(this.region());
  }

  @Get('bug')
  bug(): HttpResponse {
    throw new Error('the secret is 42');
  }

  @Get('forbidden')
  forbidden(): HttpResponse {
    throw new ForbiddenError('<script>alert(1)</script>');
  }

  @Get('of/*full_path/-/here')
  here(@Context() pageContext: PageContext, @Req() request: Request): HttpResponse {
    const path = pathParam(request, 'full_path');
    return pageContext.render(<h1>{path}</h1>, { title: path });
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

/** A page with nothing on it. */
function EmptyPage(): VNode {
  return (
    <>
      <PageHeader title="Nothing" />
      <EmptyState
        title="No snippets yet"
        action={<ButtonLink href="/-/snippets/new">New snippet</ButtonLink>}
      >
        Snippets keep pieces of code that are worth to be found again.
      </EmptyState>
    </>
  );
}
