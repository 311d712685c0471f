// Texts that stand in `index.html` and in the web manifest. The build reads this file, so it imports nothing.

export const title = 'Utensil';
export const description = 'A chat whose tools run in your browser: files, JavaScript, memory and the web';
export const noScript = 'This app needs JavaScript. Allow it for this site, then reload the page.';
