import { openQuestions, openThread } from '@utensil/core';
import type { Registry, WaitingQuestion } from '@utensil/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { problemText } from '../data/advice.ts';
import type { OpenProject } from '../data/workspace.ts';
import { hrefOf } from '../route.ts';
import { Waiting } from './elements.tsx';

interface WaitingListProps {
  readonly opened: OpenProject;
  readonly registry: Registry;
  readonly questions: readonly WaitingQuestion[];
  titleOf(threadId: string): string;
}

/** Open questions of other conversations, answered in place; their runs then continue. */
export function WaitingList({ opened, registry, questions, titleOf }: WaitingListProps): ReactElement {
  const [problem, setProblem] = useState('');
  const project = opened.project.id;
  return (
    <Waiting
      className="waiting"
      questions={questions}
      registry={registry}
      titleOf={titleOf}
      hrefOf={(conversation) => hrefOf({ page: 'chat', project, conversation })}
      read={async ({ id, threadId }) =>
        (await openQuestions(openThread(opened.records, threadId))).find((each) => each.id === id)
      }
      canRemember
      problem={problem}
      onAnswer={({ detail: { threadId, questionId, answer } }) => {
        setProblem('');
        const answered = opened.conversation(threadId).answerFromElsewhere(questionId, answer);
        answered.catch((error: unknown) => setProblem(problemText(error)));
      }}
    />
  );
}
