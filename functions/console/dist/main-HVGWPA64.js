import{a}from"./chunk-GHSFVDOQ.js";import"./chunk-LYD574SJ.js";export{a as leave};
