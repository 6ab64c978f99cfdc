// Shows the number of unread messages in front of the page's title, whatever the page makes of its title meanwhile.

const COUNT = /^\(\d+\)(?: |$)/;

export function countInTitle(count: number): void {
  if (count || COUNT.test(document.title)) document.title = (count ? `(${count}) ` : "") + document.title.replace(COUNT, "");
}
