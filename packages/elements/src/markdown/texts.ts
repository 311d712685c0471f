export const texts = {
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Could not be copied',
  code: 'Code',
  table: 'Table',
  load: 'Load',
  imageFrom: 'Image from',
  imageNotShown: 'Image that cannot be shown',
  done: 'Done: ',
  toDo: 'To do: ',
  moreCode: (characters: number): string =>
    `${characters.toLocaleString('en')} more characters are not shown here. Copying takes all.`,
};
