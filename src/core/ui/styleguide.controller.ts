import { Controller, Get } from '@nestjs/common';
import { Page } from '../access/page.decorator.js';
import type { HttpResponse } from '../http/http-response.js';
import { atRoot } from '../http/root-path.js';
import { Context } from './context.decorator.js';
import type { PageContext } from './page-context.js';
import { Styleguide } from './styleguide.page.js';

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
