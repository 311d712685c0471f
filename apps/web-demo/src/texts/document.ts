// Texts of `index.html` and the web manifest. The build reads this file, so it must not import anything.

export const title = 'Utensil';
export const description = 'A chat whose tools run in your browser: files, JavaScript, memory and the web';
export const noScript = 'This app needs JavaScript. Allow it for this site, then reload the page.';
