import { messageOf } from '@utensil/core';
import { branchOf } from '@utensil/core/thread';
import type { Message, Question, Run, ThreadOwner } from '@utensil/core';
import { html, nothing } from 'lit';
import type { ReactiveController, ReactiveControllerHost, TemplateResult } from 'lit';
import { seen } from '../markdown/prose.ts';
import type { Texts } from '../texts/texts.ts';
import { icon } from '../value/icons.ts';
import { followThread, liveElsewhere } from '../view/index.ts';
import type { FollowedThread, FollowingThread, LiveRun, ThreadNews } from '../view/index.ts';

/** Somebody else who has a thread, such as another tab, as `thread.owner()` tells it. */
export interface OtherOwner extends Pick<ThreadOwner, 'since'> {
  /** What that one asks, as `openQuestions` gives it. */
  readonly questions?: readonly Question[];
}

const nothingKnown: ThreadNews = { questions: [] };

/** Follows a thread for an element: what is stored of it, and who else has it. */
export class Other implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #changed: () => void;
  #thread: FollowedThread | undefined;
  #given: Run | undefined;
  #run: Run | undefined; // the same, until it is over
  #following: FollowingThread | undefined;
  #isConnected = false;
  #news = nothingKnown;
  #messages: readonly Message[] = [];
  #live: { readonly of: readonly [readonly Message[], readonly Question[]]; readonly live: LiveRun } | undefined;

  /** `changed` is called if somebody else has the thread now, or nobody any more. */
  constructor(host: ReactiveControllerHost, changed: () => void) {
    this.#host = host;
    this.#changed = changed;
    host.addController(this);
  }

  /** The stored messages of the newest conversation. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  get owner(): ThreadOwner | undefined {
    return this.#run === undefined ? this.#news.owner : undefined;
  }

  /** Why the thread could not be read. */
  get problem(): unknown {
    return this.#news.problem;
  }

  /** The run that somebody else has, as far as these messages tell it. */
  live(messages: readonly Message[], questions = this.#news.questions): LiveRun {
    const known = this.#live;
    if (known?.of[0] === messages && known.of[1] === questions) return known.live;
    const live = liveElsewhere({ messages, questions });
    this.#live = { of: [messages, questions], live };
    return live;
  }

  /** Follows this thread from here on; while this run is under way, its events tell all that there is. */
  of(thread: FollowedThread | undefined, run: Run | undefined): void {
    if (run !== this.#given) this.#take(run);
    if (thread === this.#thread) return;
    this.#thread = thread;
    this.#messages = [];
    this.#news = nothingKnown;
    this.#start();
  }

  hostConnected(): void {
    this.#isConnected = true;
    this.#start();
  }

  hostDisconnected(): void {
    this.#isConnected = false;
    this.#following?.stop();
    this.#following = undefined;
  }

  #take(run: Run | undefined): void {
    this.#given = this.#run = run;
    const over = (): void => {
      if (this.#run !== run) return;
      this.#run = undefined;
      this.#following?.again();
    };
    void run?.result.then(over, over);
  }

  #start(): void {
    this.#following?.stop();
    this.#following = undefined;
    const thread = this.#thread;
    if (thread === undefined || !this.#isConnected) return;
    this.#following = followThread(thread, { hasRun: () => this.#run !== undefined, show: (news) => this.#show(news) });
  }

  #show(news: ThreadNews): void {
    const before = this.#news;
    this.#news = news;
    if (news.messages !== before.messages) this.#messages = branchOf(news.messages ?? []);
    if (news.owner?.runId !== before.owner?.runId) this.#changed();
    this.#host.requestUpdate();
  }
}

/** That somebody else has the thread, or that it cannot be read. The place is always there, so that it is read out. */
export function otherView(
  { owner, problem }: { readonly owner: OtherOwner | undefined; readonly problem: unknown },
  texts: Texts,
): TemplateResult {
  return html`<div class="elsewhere" role="status">
    ${owner === undefined ? nothing : html`<p>${icon('ring')}<span>${ownerText(owner, texts)}</span></p>`}
    ${
      problem === undefined
        ? nothing
        : html`<p>
            ${icon('warning')}<span>${texts.thread.notRead} <bdi>${seen(messageOf(problem))}</bdi></span>
          </p>`
    }
  </div>`;
}

function ownerText({ since }: OtherOwner, { thread: texts, formats }: Texts): string {
  if (since === undefined || Number.isNaN(new Date(since).getTime())) return texts.elsewhere; // stored: perhaps anything
  const isToday = new Date(since).toDateString() === new Date().toDateString();
  return texts.elsewhereSince(isToday ? formats.timeOfDay(since) : formats.time(since));
}
